// The code that nodes run, bundled from its sources.
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '..', '..');
const cli = join(root, 'packages', 'cli');
const { build } = createRequire(join(cli, 'package.json'))('esbuild');

const ENTRY = `
export { ClusterNode, Links, MemoryNetwork, encodeRecord, keyOf } from '@mcpmux/cluster';
export { connectToFront } from './src/cluster/front-of.js';
export { SessionIds } from './src/cluster/session-ids.js';
`;

const folder = join(root, 'node_modules', '.cache', 'cluster-simulation');
mkdirSync(folder, { recursive: true });
const outfile = join(folder, 'code.mjs');
await build({
  stdin: { contents: ENTRY, resolveDir: cli },
  bundle: true,
  platform: 'node',
  format: 'esm',
  conditions: ['@mcpmux/source'],
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
  outfile,
});

/** Of packages/core/src/cluster and packages/cli/src/cluster. */
export const { ClusterNode, Links, MemoryNetwork, encodeRecord, keyOf, connectToFront, SessionIds } =
  await import(pathToFileURL(outfile).href);
