import { defineConfig } from 'vitest/config';

/** Packages of ours are tested as their sources stand, so that no test depends on a build. */
const conditions = ['@mcpmux/source'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['src/**/*.test.ts'],
    testTimeout: 20_000,
    hookTimeout: 20_000,
    reporters: ['default', 'json'],
    outputFile: { json: 'reports/vitest.json' },
  },
});
