import { readdirSync } from 'node:fs';

import { defineConfig } from 'tsup';

const names = readdirSync('src/programs').map((file) => file.replace(/\.ts$/, ''));
const programs = names.map((name) => [`programs/${name}`, `src/programs/${name}.ts`] as const);

export default defineConfig({
  entry: { main: 'src/main.ts', ...Object.fromEntries(programs) },
  format: ['esm'],
  target: 'node20',
  platform: 'node',
  splitting: true,
  sourcemap: true,
  clean: true,
  dts: false,
  // the proxies are measured as their users run them: with the SDK from node_modules
  skipNodeModulesBundle: true,
});
