import { packageTests } from '../../vitest.package.js';

export default packageTests({
  setupFiles: ['../wire/src/testing/preload.ts', '../core/src/testing/preload.ts'],
  usesRigsOfCore: true,
});
