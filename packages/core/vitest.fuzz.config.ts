import { defineConfig, mergeConfig } from 'vitest/config';

import { packageTests } from '../../vitest.package.js';

export default mergeConfig(
  packageTests(import.meta.url, { folders: ['fuzz'], report: 'vitest-fuzz' }),
  // many runs by command take as long as they take
  defineConfig({ test: { testTimeout: 0 } }),
);
