import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vitest/config';

const RIGS = fileURLToPath(new URL('../packages/core/src/testing', import.meta.url));

// Programs of others that are too large to be dependencies of this repository: installed by npm before the tests.
export default defineConfig({
  resolve: { alias: { '@mcpmux/core/testing': RIGS } },
  test: {
    include: ['src/peers/**/*.peer.test.ts'],
    globalSetup: ['src/peers/install-peers.ts'],
    testTimeout: 60_000,
    reporters: ['default', ['json', { outputFile: 'reports/vitest-peers.json' }]],
  },
});
