import { build } from 'esbuild';
import { defineConfig } from 'tsup';

import { WORKER } from './worker.config.js';

export default defineConfig({
  entry: ['src/index.ts'],
  format: ['esm'],
  target: 'node20',
  platform: 'node',
  dts: false,
  sourcemap: true,
  clean: true,
  onSuccess: async () => {
    // The program of a thread, with its interpreter: nobody without code mode installs or loads that.
    await build({
      ...WORKER,
      outfile: 'dist/code-worker.cjs',
      minify: true,
      legalComments: 'none',
      sourcemap: true,
      sourcesContent: false,
    });
  },
});
