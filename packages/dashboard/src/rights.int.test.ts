import { fixtureCommand } from '@mcpmux/test-servers';
import { expect, it } from 'vitest';

import type { ChangeOptions, ConfigChange, RegistryChoice } from './index.js';
import { PageRig } from './testing/page-rig.js';

function rpc(method: string, params: object = {}): object {
  return { jsonrpc: '2.0', id: 1, method, params };
}

it.each([
  ['reload', { name: 'echo' }],
  ['remove', { name: 'echo' }],
  ['config', { kind: 'remove', name: 'echo' }],
  ['mcp', rpc('tools/call', { name: 'echo__echo', arguments: { message: 'x' } })],
  ['mcp', rpc('tools/call', { name: 'remove_server', arguments: { name: 'echo' } })],
  ['mcp', rpc('resources/read', { uri: 'x:y' })],
  ['mcp', rpc('initialize')],
  ['approve', { id: 1, isAllowed: true, scope: 'once' }],
  ['registry', { server: 's', source: 'npm s', name: 's' }],
])('a link for reading only cannot post to %s: %j', async (path, body) => {
  const changes: ConfigChange[] = [];
  const editor = {
    entries: () => [],
    has: () => false,
    change: async (change: ConfigChange) => {
      changes.push(change);
      return { file: '', diff: [], warnings: [], written: true, basis: '' };
    },
  };
  await using rig = await PageRig.open({ editor });
  await rig.mux.addServer('echo', fixtureCommand('echo'));
  const headers = await rig.logIn(false);
  expect((await rig.send(`/ui/api/${path}`, { method: 'POST', headers, body })).status).toBe(403);
  expect(changes).toEqual([]);
  expect(rig.mux.listServers()).toMatchObject([{ name: 'echo', status: 'running', restarts: 0 }]);
});

it('a link for reading only reads lists, state and logs', async () => {
  await using rig = await PageRig.open();
  await rig.mux.addServer('echo', fixtureCommand('echo'));
  const headers = await rig.logIn(false);
  const list = await rig.send('/ui/api/mcp', { method: 'POST', headers, body: rpc('tools/list') });
  expect(list.text).toContain('echo__echo');
  const log = await rig.send('/ui/api/log?server=echo', { headers });
  expect(log.text).toContain('server running');
  const overview = JSON.parse((await rig.send('/ui/api/overview', { headers })).text) as object;
  expect(overview).toMatchObject({ mayManage: false, canEditConfig: false, servers: [{ name: 'echo' }] });
});

it('a link that may manage calls tools, reloads and removes', async () => {
  await using rig = await PageRig.open();
  await rig.mux.addServer('echo', fixtureCommand('echo'));
  const headers = await rig.logIn();
  const post = (path: string, body: object) => rig.send(`/ui/api/${path}`, { method: 'POST', headers, body });
  const call = await post('mcp', rpc('tools/call', { name: 'echo__echo', arguments: { message: 'hello' } }));
  expect(call.text).toContain('hello');
  expect(JSON.parse((await post('reload', { name: 'echo' })).text)).toEqual({ status: 'running', tools: 2 });
  expect(JSON.parse((await post('remove', { name: 'echo' })).text)).toEqual({ status: 'removed' });
  const again = await post('remove', { name: 'echo' });
  expect(again.status).toBe(409);
  expect(again.text).toContain('echo');
});

it('a change to the config is made by the editor, and its refusal is the answer', async () => {
  const editor = {
    entries: () => [{ name: 'off', status: 'disabled' }] as const,
    has: () => false,
    change: async (change: ConfigChange, { isDryRun }: ChangeOptions) => {
      if (change.kind === 'remove') throw new Error('there is no server "x"');
      return { file: 'f', diff: ['+ y'], warnings: ['w'], written: !isDryRun, basis: 'b' };
    },
  };
  await using rig = await PageRig.open({ editor });
  const headers = await rig.logIn();
  const post = (body: object) => rig.send('/ui/api/config', { method: 'POST', headers, body });
  const tried = await post({ kind: 'add', servers: { y: {} }, dryRun: true });
  expect(JSON.parse(tried.text)).toEqual({
    file: 'f',
    diff: ['+ y'],
    warnings: ['w'],
    written: false,
    basis: 'b',
  });
  const refused = await post({ kind: 'remove', name: 'x' });
  expect([refused.status, refused.text]).toEqual([409, '{"error":"there is no server \\"x\\""}']);
  for (const body of [{}, { kind: 'add', servers: {} }, { kind: 'enable' }, { kind: 'format' }])
    expect((await post(body)).status).toBe(400);
});

it('a change gets the basis of its diff and its secrets, and the registry gets the ids of the secrets alone', async () => {
  const made: object[] = [];
  const editor = {
    entries: () => [],
    has: () => false,
    change: async (change: ConfigChange, options: ChangeOptions) => {
      made.push(change, options);
      return { file: 'f', diff: [], warnings: [], written: true, basis: '' };
    },
  };
  const registry = {
    search: async () => ({}),
    entry: async (choice: RegistryChoice) => ({ entry: choice }),
  };
  await using rig = await PageRig.open({ editor, registry });
  const headers = await rig.logIn();
  const post = (path: string, body: object) => rig.send(`/ui/api/${path}`, { method: 'POST', headers, body });
  const change = { kind: 'add', servers: { a: {} }, secrets: { 'a.TOKEN': 't' } };
  expect((await post('config', { ...change, basis: 'x' })).status).toBe(200);
  expect(made).toEqual([change, { isDryRun: false, basis: 'x' }]);
  const choice = { server: 's', source: 'npm s', name: 'a', values: { FOLDER: '/' }, secrets: ['TOKEN'] };
  expect(JSON.parse((await post('registry', choice)).text)).toEqual({ entry: choice });
  expect((await post('registry', { ...choice, secrets: 'TOKEN' })).status).toBe(400);
  expect((await post('config', { ...change, secrets: { 'a.TOKEN': 7 } })).status).toBe(400);
});

it('the overview tells the load of the process, the rules of the host, and the limits', async () => {
  const about = { version: '1', rules: () => ({ Guards: 'none' }), limits: { maxServers: 7 } };
  await using rig = await PageRig.open({ about });
  const headers = await rig.logIn();
  const read = async (): Promise<unknown> => {
    rig.advance(2000);
    return JSON.parse((await rig.send('/ui/api/overview', { headers })).text);
  };
  await read();
  expect(await read()).toMatchObject({
    mcpmux: {
      rules: { Guards: 'none' },
      limits: { maxServers: 7, maxToolsPerServer: 1000 },
      cpuPercent: expect.any(Number) as number,
      loopDelayMs: { p99: expect.any(Number) as number, max: expect.any(Number) as number },
    },
  });
});
