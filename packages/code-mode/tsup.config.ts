import { build } from 'esbuild';
import { defineConfig } from 'tsup';

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
      entryPoints: ['src/sandbox-worker.ts'],
      outfile: 'dist/code-worker.cjs',
      bundle: true,
      platform: 'node',
      target: 'node20',
      format: 'cjs',
      minify: true,
      legalComments: 'none',
      sourcemap: true,
      sourcesContent: false,
    });
  },
});
