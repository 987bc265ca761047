import process from 'node:process';

import { defineConfig } from 'vitest/config';

// the Node.js that runs the built command; the tests themselves may run on another
const version = process.env['E2E_NODE_VERSION'] ?? process.version;

export default defineConfig({
  test: {
    include: ['src/**/*.e2e.test.ts', 'src/surface/rules/*.test.ts'],
    testTimeout: 20_000,
    hookTimeout: 30_000,
    fileParallelism: false,
    reporters: ['default', ['json', { outputFile: `reports/vitest-${version}.json` }]],
  },
});
