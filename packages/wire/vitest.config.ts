import { packageTests } from '../../vitest.package.js';

export default packageTests({ setupFiles: ['src/testing/preload.ts'] });
