import process from 'node:process';

import { defineConfig } from 'vitest/config';

// the Node.js that runs the built command; the tests themselves may run on another
const version = process.env['E2E_NODE_VERSION'] ?? process.version;

/** Commands that read and write files: nothing of them depends on the major of Node.js, and they take half of the time. */
const ON_ONE_NODE = [
  'bad-input',
  'catalog',
  'client-files',
  'commands',
  'config',
  'first-hour',
  'newcomer',
  'page',
  'page-hostile',
  'page-keyboard',
  'page-read-only',
  'takeover',
].map((name) => `src/${name}.e2e.test.ts`);
const isFurtherNode = process.env['E2E_NODE'] !== undefined;

/**
 * Streams, sockets, processes, terminals and packages: where majors of Node.js have differed. `E2E_PART=runtime` runs
 * these alone: `.ci/run` does so on 26. The workflow `ci.yml` runs all tests on all majors.
 */
const OF_THE_RUNTIME = [
  'cells',
  'cells-at-url',
  'control-socket',
  'endings',
  'endless-streams',
  'fidelity',
  'hostile-streams',
  'http-clients',
  'http-ending',
  'large-bodies',
  'line-limits',
  'login',
  'main-job',
  'many-requests',
  'packaging',
  'processes',
  'reasons',
  'remote',
  'stdout',
  'surface-bytes',
  'terminal',
  'terminal-text',
].map((name) => `src/${name}.e2e.test.ts`);
const isRuntimeOnly = process.env['E2E_PART'] === 'runtime';

export default defineConfig({
  test: {
    include: isRuntimeOnly ? OF_THE_RUNTIME : ['src/**/*.e2e.test.ts', 'src/surface/rules/*.test.ts'],
    exclude: isFurtherNode ? ON_ONE_NODE : [],
    testTimeout: 60_000,
    hookTimeout: 30_000,
    // how long what is polled may take on a busy machine, in place of one second
    expect: { poll: { timeout: 10_000 } },
    // nx.json gives these tests the machine for themselves; they wait for a third of their time on two cores
    maxWorkers: 3,
    reporters: ['default', ['json', { outputFile: `reports/vitest-${version}.json` }]],
  },
});
