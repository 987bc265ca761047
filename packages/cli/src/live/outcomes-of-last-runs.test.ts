import { writeFileSync } from 'node:fs';

import { loadConfig } from '@mcpmux/config';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { RememberedCatalog, rememberedCatalogFile } from '../config/remembered-catalog.js';
import { readLastRuns } from '../config/last-runs.js';
import { thisProcess } from '../config/this-process.js';
import { TemporaryHome } from '../commands/testing/temporary-home.js';
import { outcomesOfLastRuns } from './outcomes-of-last-runs.js';

let home: TemporaryHome;

beforeEach(() => {
  home = new TemporaryHome();
  vi.stubEnv('XDG_STATE_HOME', home.path('state'));
});

afterEach(() => {
  vi.unstubAllEnvs();
  home[Symbol.dispose]();
});

/** The outcomes of a config whose server `a` had these tools in its last run. */
function outcomes(entry: object, tools: readonly string[], others: object = {}) {
  const file = home.path('mcpmux.json');
  writeFileSync(file, JSON.stringify({ mcpServers: { a: { command: 'node', ...entry }, ...others } }));
  const config = loadConfig({ file, origin: 'flag', folder: home.home }, home.context());
  const { servers } = readLastRuns(config, {});
  const configs = new Map(servers.map((server) => [server.name, server.config]));
  new RememberedCatalog(rememberedCatalogFile(file, thisProcess())).saveLists(configs, (name) =>
    name === 'a' ? { tools } : undefined,
  );
  return outcomesOfLastRuns(config, readLastRuns(config, {}));
}

const TOOLS = ['b', 'c', 'd', 'e'].map((name) => JSON.stringify({ name, inputSchema: {} }));

it('a server has the tools of its last run, under the names that clients get', () => {
  const long = JSON.stringify({ name: 'x'.repeat(80), inputSchema: {} });
  const [first] = outcomes({}, ['not JSON', ...TOOLS.slice(0, 1), long]);
  expect(first).toEqual({
    kind: 'remembered',
    name: 'a',
    tools: ['a__b', expect.stringMatching(/^a__x+_[\da-f]{8}$/) as string],
  });
});

it('excluded and hidden tools, and the second of two with one name, are left out', () => {
  const mux = { tools: { c: { hidden: true }, d: { name: 'same' }, e: { name: 'same' } } };
  expect(outcomes({ excludeTools: ['b'], mux }, TOOLS)).toEqual([
    { kind: 'remembered', name: 'a', tools: ['a__same'] },
  ]);
});

it('a server that never ran is ready, one that is disabled or misconfigured is not', () => {
  const others = { new: { command: 'node' }, off: { command: 'node', disabled: true }, bad: {} };
  expect(outcomes({}, TOOLS, others).map(({ kind }) => kind)).toEqual([
    'remembered',
    'ready',
    'disabled',
    'failed',
  ]);
});
