import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/soak/**/*.soak.test.ts'],
    testTimeout: 3_600_000,
    fileParallelism: false,
  },
});
