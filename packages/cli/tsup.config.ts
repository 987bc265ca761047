import { execFileSync } from 'node:child_process';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import process from 'node:process';

import { defineConfig } from 'tsup';

import { bundleCommand } from './bundle.js';

export default defineConfig({
  // A window that shares a process loads its relay alone: one file, which shares none with the command.
  entry: ['src/relay.ts'],
  format: ['cjs'],
  target: 'node20',
  platform: 'node',
  splitting: false,
  sourcemap: true,
  clean: true,
  dts: false,
  // One self-contained package: `npx` then fetches one tarball instead of a tree of them.
  noExternal: [/./],
  outExtension: () => ({ js: '.cjs' }),
  esbuildOptions(options) {
    options.mainFields = ['module', 'main'];
    options.conditions = ['@mcpmux/source', 'module'];
    options.minifyWhitespace = true;
    options.minifySyntax = true;
    options.legalComments = 'none';
  },
  onSuccess: async () => {
    await bundleCommand('src/cli.ts', 'dist', {
      serving: 'src/program/serve-client.ts',
      mux: '../core/src/mux/mux.ts',
    });
    // A module of the bundle has the thread of code mode as text: its map tells whose code that is.
    await cp('../code-mode/dist/code-worker.cjs.map', 'dist/code-worker.cjs.map');
    // The page is looked for beside the bundle.
    await cp('../dashboard/dist/page', 'dist/page', { recursive: true });
    // For editors: configs name its address.
    await mkdir('schema', { recursive: true });
    await writeFile(
      'schema/mcpmux.schema.json',
      execFileSync(process.execPath, ['dist/cli.cjs', 'config', 'schema']),
    );
  },
});
