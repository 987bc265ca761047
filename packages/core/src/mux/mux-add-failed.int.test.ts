import { fixtureCommand } from '@mcpmux/test-servers';
import { expect, it } from 'vitest';

import type { ServerConfig } from '../server/config/server-config.js';
import type { RereadServer } from './add-options.js';
import { createMux } from './mux.js';

const echo = (): ServerConfig => ({ ...fixtureCommand('echo') });
const UNSET = { problem: 'the environment variable MY_GH_TOKEN is not set' };

it('a server whose configuration cannot be used is registered as failed, with the reason everywhere', async () => {
  await using mux = createMux();
  const states: unknown[] = [];
  mux.on('server:state', ({ server, status, error }) => states.push([server, status, error]));
  const added = mux.addServer('kit', UNSET, { keepsFailed: true });
  expect(mux.listServers()).toMatchObject([
    {
      name: 'kit',
      status: 'failed',
      tools: [],
      last_error: { message: expect.stringContaining('MY_GH_TOKEN') },
    },
  ]);
  await expect(added).rejects.toMatchObject({
    code: 'START_FAILED',
    message: expect.stringContaining('MY_GH_TOKEN'),
  });
  await expect(mux.addServer('kit', echo())).rejects.toThrow('exists already and is failed');
  const logs = await mux.callTool('server_logs', { name: 'kit' });
  const call = await mux.callTool('kit__echo', { text: 'x' });
  const reload = await mux.callTool('reload_server', { name: 'kit' });
  for (const reported of [logs, call, reload])
    expect(JSON.stringify(reported)).toContain('MY_GH_TOKEN is not set');
  for (const reported of [call, reload]) expect(reported).toMatchObject({ isError: true });
  expect(JSON.stringify(call)).toContain('reload_server');
  expect(states).toContainEqual(['kit', 'failed', expect.stringContaining('MY_GH_TOKEN')]);
  await mux.removeServer('kit');
  expect(mux.listServers()).toEqual([]);
});

it('is not registered otherwise', async () => {
  await using mux = createMux();
  await expect(mux.addServer('kit', UNSET)).rejects.toMatchObject({ code: 'START_FAILED' });
  expect(mux.listServers()).toEqual([]);
});

it('a reload reads the configuration anew, starts the server in its place, and tells a new reason', async () => {
  await using mux = createMux();
  const readings: RereadServer[] = [
    { config: { problem: 'the environment variable OTHER is not set' } },
    { config: echo(), tools: { shown: (tool) => (tool === 'echo' ? undefined : false) } },
  ];
  const reread = (): RereadServer => readings.shift() ?? { config: UNSET };
  await expect(mux.addServer('kit', UNSET, { keepsFailed: true, reread })).rejects.toThrow('MY_GH_TOKEN');
  await mux.addServer('last', echo());
  await expect(mux.reloadServer('kit')).rejects.toThrow('OTHER');
  expect(mux.listServers()[0]).toMatchObject({ status: 'failed', last_error: { message: /OTHER/ } });
  const reload = await mux.callTool('reload_server', { name: 'kit' });
  expect(reload.structuredContent).toMatchObject({ name: 'kit', status: 'running' });
  expect(mux.listServers()).toMatchObject([
    { name: 'kit', status: 'running', tools: ['kit__echo'] },
    { name: 'last', status: 'running' },
  ]);
  // It is right now: a further reload keeps the configuration.
  await expect(mux.reloadServer('kit')).resolves.toMatchObject({ status: 'running', restarts: 1 });
});

it('a reload of it is told as a reload, and not as the end of one server and the begin of another', async () => {
  await using mux = createMux();
  const added = mux.addServer('kit', UNSET, { keepsFailed: true, reread: () => ({ config: echo() }) });
  await expect(added).rejects.toThrow('MY_GH_TOKEN');
  const reported: unknown[] = [];
  for (const event of ['server:added', 'server:removed'] as const)
    mux.on(event, ({ server }) => reported.push([event, server]));
  mux.on('audit', ({ action, command }) => reported.push([action, command.includes('echo.js')]));
  await mux.reloadServer('kit');
  expect(reported).toEqual([
    ['reload', true],
    ['spawn', true],
  ]);
});

it('an error of the host that is told of the new configuration does not affect the server', async () => {
  await using mux = createMux();
  const registered = (): never => {
    throw new Error('the vault is locked');
  };
  const reread = (): RereadServer => ({ config: echo(), registered });
  await expect(mux.addServer('kit', UNSET, { keepsFailed: true, reread })).rejects.toThrow('MY_GH_TOKEN');
  await expect(mux.reloadServer('kit')).resolves.toMatchObject({ status: 'running' });
});

it('a reading that throws is the reason', async () => {
  await using mux = createMux();
  const reread = (): never => {
    throw new Error('the vault is locked');
  };
  await expect(mux.addServer('kit', UNSET, { keepsFailed: true, reread })).rejects.toThrow('MY_GH_TOKEN');
  await expect(mux.reloadServer('kit')).rejects.toThrow('the vault is locked');
  expect(mux.listServers()).toMatchObject([{ name: 'kit', status: 'failed' }]);
});

it.each<readonly [string, unknown]>([
  ['neither "command"', {}],
  ['command', { command: '' }],
  ['command', { command: 5 }],
  ['args', { command: 'node', args: ['x', 5] }],
  ['env', { command: 'node', env: { TOKEN: 5 } }],
  ['cwd', { command: 'node', cwd: 5 }],
  ['url', { url: 'htp:/example' }],
  ['url', { url: 7 }],
  ['headers', { url: 'https://example.com', headers: { 'a b': 'hunter2' } }],
  ['headers', { url: 'https://example.com', headers: { Authorization: 'a\nhunter2' } }],
  ['object', null],
])('a configuration of a host with a wrong %s fails by its reason: %j', async (reason, config) => {
  await using mux = createMux();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a host without types
  const added = mux.addServer('kit', config as ServerConfig, { keepsFailed: true });
  await expect(added).rejects.toMatchObject({
    code: 'START_FAILED',
    message: expect.stringContaining(reason),
  });
  expect(mux.listServers()).toMatchObject([{ name: 'kit', status: 'failed' }]);
  expect(JSON.stringify(mux.listServers())).not.toContain('hunter2');
});
