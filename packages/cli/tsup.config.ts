import { execFileSync } from 'node:child_process';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import process from 'node:process';

import { defineConfig } from 'tsup';

import { asCommonJs, asOneFile } from './common-js.js';
import { smallModules } from './small-modules.js';

export default defineConfig({
  entry: ['src/cli.ts'],
  format: ['esm'],
  target: 'node20',
  platform: 'node',
  // What serving does not need at once lies in chunks of its own.
  splitting: true,
  sourcemap: true,
  clean: true,
  dts: false,
  // One self-contained package: `npx` then fetches one tarball instead of a tree of them.
  noExternal: [/^(?!@opentelemetry\/|@napi-rs\/)/],
  // What a host has of OpenTelemetry is one of a kind: its SDK registers itself there.
  external: ['@opentelemetry/api'],
  esbuildPlugins: [smallModules],
  // The CommonJS entry of jsonc-parser requires its parts in a way that no bundler sees.
  esbuildOptions(options) {
    options.mainFields = ['module', 'main'];
    // Packages of ours by their modules: each chunk then holds no more of them than it uses.
    options.conditions = ['@mcpmux/source', 'module'];
  },
  onSuccess: async () => {
    await asCommonJs('dist', 'cli');
    await asOneFile('src/relay.ts', 'dist/relay.cjs');
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
