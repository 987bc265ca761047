import { packageTests } from '../../vitest.package.js';

export default packageTests({ include: ['src/**/*.test.ts', 'page/**/*.test.ts'] });
