import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vitest/config';

/** Examples use the package by its name; its sources stand for it, so that no test depends on a build. */
const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: {
    alias: [
      { find: /^@mcpmux\/core\/guards$/, replacement: source('./src/guards/index.ts') },
      { find: /^@mcpmux\/core$/, replacement: source('./src/index.ts') },
    ],
  },
  test: {
    include: ['src/**/*.test.ts'],
    setupFiles: ['src/testing/preload.ts'],
    testTimeout: 60_000,
    hookTimeout: 20_000,
    // how long what is polled may take on a busy machine, in place of one second
    expect: { poll: { timeout: 10_000 } },
    reporters: ['default', 'json'],
    outputFile: { json: 'reports/vitest.json' },
  },
});
