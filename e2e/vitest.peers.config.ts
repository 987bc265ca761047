import { defineConfig } from 'vitest/config';

// Programs of others that are too large to be dependencies of this repository: installed by npm before the tests.
export default defineConfig({
  test: {
    include: ['src/peers/**/*.peer.test.ts'],
    globalSetup: ['src/peers/install-peers.ts'],
    testTimeout: 60_000,
    reporters: ['default', ['json', { outputFile: 'reports/vitest-peers.json' }]],
  },
});
