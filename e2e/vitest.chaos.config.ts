import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/chaos/**/*.chaos.test.ts'],
    // 2,000 events by command take minutes
    testTimeout: 600_000,
    reporters: ['default', ['json', { outputFile: 'reports/vitest-chaos.json' }]],
  },
});
