import { existsSync } from 'node:fs';
import process from 'node:process';

import { defineConfig } from 'vitest/config';

import { NIGHTLY, ON_ONE_NODE, PATHS, RUNTIME } from './src/parts.js';

// the Node.js that runs the built command; the tests themselves may run on another
const version = process.env['E2E_NODE_VERSION'] ?? process.version;
const isFurtherNode = process.env['E2E_NODE'] !== undefined;
const part = process.env['E2E_PART'];
const all = ['src/**/*.e2e.test.ts', 'src/surface/rules/*.test.ts'];

/** The files of these names. A name without a file is refused: its tests would be missed by nobody. */
function files(names: readonly string[]): string[] {
  return names.map((name) => {
    const file = `src/${name}.e2e.test.ts`;
    if (!existsSync(new URL(file, import.meta.url)))
      throw new Error(`parts.ts names ${file}, which is missing`);
    return file;
  });
}

/** The files that a target of its own has run on this Node.js. */
function excluded(): string[] {
  if (part !== undefined) return [];
  return files(isFurtherNode ? ON_ONE_NODE : [...PATHS, ...NIGHTLY]);
}

const parts = { paths: files(PATHS), nightly: files(NIGHTLY), runtime: files(RUNTIME) };

export default defineConfig({
  test: {
    include: Object.entries(parts).find(([name]) => name === part)?.[1] ?? all,
    exclude: excluded(),
    testTimeout: 60_000,
    hookTimeout: 30_000,
    // how long what is polled may take on a busy machine, in place of one second
    expect: { poll: { timeout: 10_000 } },
    // nx.json gives these tests the machine for themselves; they wait for a third of their time on two cores
    maxWorkers: 4,
    // they start processes, and have no state of their own: the clients are imported once
    isolate: false,
    reporters: [
      'default',
      ['json', { outputFile: `reports/vitest-${part === undefined ? '' : `${part}-`}${version}.json` }],
    ],
  },
});
