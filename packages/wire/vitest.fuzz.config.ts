import { defineConfig, mergeConfig } from 'vitest/config';

import { packageTests } from '../../vitest.package.js';

export default mergeConfig(
  packageTests(import.meta.url, { folders: ['fuzz'] }),
  defineConfig({
    test: {
      // many runs by command take as long as they take
      testTimeout: 0,
      outputFile: { json: 'packages/wire/reports/vitest-fuzz.json' },
    },
  }),
);
