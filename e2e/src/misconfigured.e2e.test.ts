import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { fixtureServer } from './testing/fixture-server.js';
import { RawCli } from './testing/raw-cli.js';
import { failureText, textOf } from './testing/tool-response.js';

let folder = '';
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'mcpmux-e2e-misconfigured-')));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const UNSET = 'the environment variable MCPMUX_E2E_NOT_SET is not set';

async function writeConfig(mcpServers: object): Promise<string> {
  const file = join(folder, 'mcpmux.json');
  await writeFile(file, JSON.stringify({ mcpServers }, undefined, 2));
  return file;
}

async function started(config: string, ...flags: readonly string[]): Promise<RawCli> {
  const mcpmux = new RawCli({ args: ['--config', config, ...flags], cwd: folder });
  await mcpmux.initialize();
  return mcpmux;
}

/** The states of servers by name, as `list_servers` tells them. */
async function states(mcpmux: RawCli): Promise<Readonly<Record<string, string>>> {
  const { result } = await mcpmux.call('list_servers');
  const content = result?.['structuredContent'] as
    | { readonly servers: readonly { readonly name: string; readonly status: string }[] }
    | undefined;
  return Object.fromEntries((content?.servers ?? []).map(({ name, status }) => [name, status]));
}

it('A1, A2: a server that cannot be started is told as failed, with its reason, wherever its name is used', async () => {
  const config = await writeConfig({
    unset: { ...fixtureServer('echo'), env: { KEY: '${MCPMUX_E2E_NOT_SET}' } },
    address: { url: 'htp:/example.com' },
    shape: { command: 5 },
    value: { ...fixtureServer('echo'), mux: { startTimeoutMs: 'soon' } },
  });
  await using mcpmux = await started(config);
  expect(await states(mcpmux)).toEqual({
    unset: 'failed',
    address: 'failed',
    shape: 'failed',
    value: 'failed',
  });
  expect(textOf(await mcpmux.call('list_servers'))).toContain(UNSET);
  expect(textOf(await mcpmux.call('server_logs', { name: 'unset' }))).toContain(UNSET);
  expect(failureText(await mcpmux.call('reload_server', { name: 'unset' }))).toContain(UNSET);
  const call = failureText(await mcpmux.call('unset__echo', { message: 'x' }));
  expect(call).toContain(UNSET);
  expect(call).toContain('reload_server');
  expect(failureText(await mcpmux.call('address__echo'))).toContain('http://');
  expect(failureText(await mcpmux.call('shape__echo'))).toContain('mcpServers.shape.command: expected');
  expect(failureText(await mcpmux.call('value__echo'))).toContain(
    'mcpServers.value.mux.startTimeoutMs: expected',
  );
});

it('A1: reload_server reads the config again and starts a failed server that is right now', async () => {
  const config = await writeConfig({
    kit: { ...fixtureServer('echo'), env: { KEY: '${MCPMUX_E2E_NOT_SET}' } },
  });
  await using mcpmux = await started(config);
  expect(await states(mcpmux)).toEqual({ kit: 'failed' });
  await writeConfig({ kit: { ...fixtureServer('echo'), env: { KEY: '${MCPMUX_E2E_NOT_SET:-none}' } } });
  const { result } = await mcpmux.call('reload_server', { name: 'kit' });
  expect(result?.['structuredContent']).toMatchObject({ name: 'kit', status: 'running' });
  expect(textOf(await mcpmux.call('kit__echo', { message: 'hello' }))).toBe('hello');
});

it('a watched config that becomes right starts the server, and one that becomes wrong tells why', async () => {
  const wrong = { kit: { ...fixtureServer('echo'), env: { KEY: '${MCPMUX_E2E_NOT_SET}' } } };
  const config = await writeConfig(wrong);
  await using mcpmux = await started(config, '--watch');
  expect(await states(mcpmux)).toEqual({ kit: 'failed' });
  await writeConfig({ kit: fixtureServer('echo') });
  await mcpmux.until(() => (/server running/.test(mcpmux.stderr) ? true : undefined));
  expect(textOf(await mcpmux.call('kit__echo', { message: 'hello' }))).toBe('hello');
  const before = mcpmux.stderr.length;
  await writeConfig(wrong);
  await mcpmux.until(() => (mcpmux.stderr.slice(before).includes('is not started') ? true : undefined));
  expect(failureText(await mcpmux.call('kit__echo', { message: 'x' }))).toContain(UNSET);
});
