import { defineConfig } from 'tsup';

import { FIXTURES } from './src/fixture-list.js';

const fixtures = Object.keys(FIXTURES).map((name) => [name, `src/fixtures/${name}.ts`] as const);

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    'login-gate': 'src/remote/login-gate.ts',
    'modern-remote': 'src/remote/modern-remote.ts',
    'remote-server': 'src/remote/remote-server.ts',
    grandchild: 'src/raw/grandchild.ts',
    ...Object.fromEntries(fixtures),
  },
  format: ['esm'],
  target: 'node20',
  platform: 'node',
  splitting: true,
  sourcemap: true,
  clean: true,
  dts: false,
  // a published fixture has no dependencies: `npx` fetches one tarball
  noExternal: [/.*/],
  // bundled CommonJS code (ajv) calls require() for Node's own modules
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
});
