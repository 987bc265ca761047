import { defineConfig } from 'vitest/config';

const conditions = ['@mcpmux/source'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['fuzz/**/*.fuzz.test.ts'],
    // many runs by command take as long as they take
    testTimeout: 0,
    reporters: ['default', 'json'],
    outputFile: { json: 'reports/vitest-fuzz.json' },
  },
});
