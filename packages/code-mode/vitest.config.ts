import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vitest/config';

/** Packages of ours are tested as their sources stand, so that no test depends on a build. */
const conditions = ['@mcpmux/source'];
/** The rigs of core are no part of its package. */
const alias = { '@mcpmux/core/testing': fileURLToPath(new URL('../core/src/testing', import.meta.url)) };

export default defineConfig({
  resolve: { conditions, alias },
  ssr: { resolve: { conditions } },
  test: {
    include: ['src/**/*.test.ts'],
    setupFiles: ['../wire/src/testing/preload.ts', '../core/src/testing/preload.ts'],
    testTimeout: 60_000,
    hookTimeout: 20_000,
    // how long what is polled may take on a busy machine, in place of one second
    expect: { poll: { timeout: 10_000 } },
    reporters: ['default', 'json'],
    outputFile: { json: 'reports/vitest.json' },
  },
});
