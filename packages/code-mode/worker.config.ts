import { fileURLToPath } from 'node:url';

import type { BuildOptions } from 'esbuild';

/** How esbuild makes the program of a sandbox's thread, one file with the interpreter inside. */
export const WORKER = {
  entryPoints: [fileURLToPath(new URL('src/sandbox-worker.ts', import.meta.url))],
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  // the variant of QuickJS that looks for no file: it gets the compiled interpreter
  conditions: ['workerd'],
  loader: { '.wasm': 'base64' },
  logLevel: 'error',
} satisfies BuildOptions;
