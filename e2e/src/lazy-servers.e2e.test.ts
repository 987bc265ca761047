import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { commandOutput } from './testing/command-output.js';
import { fixtureServer } from './testing/fixture-server.js';
import { RawCli } from './testing/raw-cli.js';
import { serversOf } from './testing/shared-windows.js';
import { textOf } from './testing/tool-response.js';

let folder = '';
let file = '';
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'mcpmux-e2e-lazy-')));
  file = join(folder, 'mcpmux.json');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** mcpmux with a config that makes every server lazy by one line. */
async function started(servers: object): Promise<RawCli> {
  await writeFile(file, JSON.stringify({ mux: { lazy: true }, mcpServers: servers }));
  const args = ['--config', file, '--log-level', 'debug', '--wait-for-servers'];
  const mcpmux = new RawCli({ args, cwd: folder, env: { XDG_STATE_HOME: folder } });
  await mcpmux.initialize();
  await mcpmux.request('tools/list');
  return mcpmux;
}

async function statuses(mcpmux: RawCli): Promise<Readonly<Record<string, unknown>>> {
  const servers = await serversOf(mcpmux);
  return Object.fromEntries(servers.map(({ name, status }) => [name, status]));
}

function hasStarted({ stderr }: RawCli, name: string): true | undefined {
  return stderr.includes(`[${name}] server running`) ? true : undefined;
}

it('with "mux": {"lazy": true}, servers run once for their lists, and then only for a call', async () => {
  const servers = {
    a: fixtureServer('echo'),
    b: fixtureServer('echo'),
    eager: { ...fixtureServer('echo'), mux: { lazy: false } },
    required: { ...fixtureServer('echo'), mux: { required: true } },
  };
  {
    await using mcpmux = await started(servers);
    expect(textOf(await mcpmux.call('b__echo', { message: 'used' }))).toBe('used');
    await mcpmux.until(() => (mcpmux.stderr.includes('[a] server idle') ? true : undefined));
    expect(await statuses(mcpmux)).toEqual({
      a: 'idle',
      b: 'running',
      eager: 'running',
      required: 'running',
    });
    expect(textOf(await mcpmux.call('a__echo', { message: 'awake' }))).toBe('awake');
  }
  await using mcpmux = await started(servers);
  for (const name of ['eager', 'required']) await mcpmux.until(() => hasStarted(mcpmux, name));
  expect(await statuses(mcpmux)).toEqual({ a: 'idle', b: 'idle', eager: 'running', required: 'running' });
  expect(textOf(await mcpmux.call('a__echo', { message: 'awake' }))).toBe('awake');
});

it('after mcpmux doctor, no lazy server runs at the first start of its config', async () => {
  const servers = { a: fixtureServer('echo') };
  await writeFile(file, JSON.stringify({ mcpServers: servers }));
  const env = { XDG_STATE_HOME: folder, MCPMUX_RUNTIME_DIR: join(folder, 'run') };
  await commandOutput(['doctor', '--config', file], env);
  await using mcpmux = await started(servers);
  expect(await statuses(mcpmux)).toEqual({ a: 'idle' });
  expect(mcpmux.stderr).not.toContain('started a server process');
});
