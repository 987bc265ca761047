import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/chaos/**/*.chaos.test.ts'],
    // 2,000 events by command take minutes
    testTimeout: 600_000,
    // the one of the cluster waits most of the time
    maxWorkers: 2,
    reporters: ['default', ['json', { outputFile: 'reports/vitest-chaos.json' }]],
  },
});
