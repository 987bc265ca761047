import { realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';

import { fixtureCommand } from '@mcpmux/test-servers';
import { describe, expect, it } from 'vitest';

import { MuxClient } from '../testing/mux-client.js';
import { MuxRig, textOf } from '../testing/mux-rig.js';

const WAIT = { timeout: 10_000 };

interface Shared {
  readonly name: string;
  readonly scope: string;
  readonly windows: number;
  readonly pid?: number;
}

/** A client as a window in a folder. */
function windowIn(rig: MuxRig, folder: string): Promise<MuxClient> {
  return MuxClient.initialized(rig.mux, {}, { workspace: folder, isolated: true, folder });
}

async function sharedFor(client: MuxClient): Promise<readonly Shared[]> {
  const { servers } = await client.manage('list_servers');
  return servers as readonly Shared[];
}

describe('the windows of one mux', () => {
  it('A13: share the servers of all, and of their folder, and are told which', async () => {
    await using rig = await MuxRig.open({ hasWindows: true, addPolicy: { mode: 'allow' } });
    await rig.add('all', 'echo');
    const here = rig.mux.openWorkspace('/here');
    await here.addServer('mine', fixtureCommand('echo'));
    const [one, two, other] = [
      await windowIn(rig, '/here'),
      await windowIn(rig, '/here'),
      await windowIn(rig, '/other'),
    ];
    const seen = await sharedFor(one);
    expect(seen.map(({ name, scope, windows }) => [name, scope, windows])).toEqual([
      ['all', 'all', 3],
      ['mine', 'folder', 2],
    ]);
    expect((await sharedFor(two)).map(({ pid }) => pid)).toEqual(seen.map(({ pid }) => pid));
    expect((await sharedFor(other)).map(({ name }) => name)).toEqual(['all']);
    await here.close();
    expect((await sharedFor(one)).map(({ name }) => name)).toEqual(['all']);
  });

  it('A13: add servers for themselves, in their folder, unless they say that these are for all', async () => {
    await using rig = await MuxRig.open({ hasWindows: true, addPolicy: { mode: 'allow' } });
    const folder = await realpath(tmpdir());
    const [one, two] = [await windowIn(rig, folder), await windowIn(rig, '/')];
    const { command, args } = fixtureCommand('env-dump');
    await one.manage('add_server', { name: 'mine', command, args });
    await one.manage('add_server', { name: 'ours', command, args, scope: 'all' });
    expect((await sharedFor(one)).map(({ name, scope }) => [name, scope])).toEqual([
      ['ours', 'all'],
      ['mine', 'window'],
    ]);
    expect((await sharedFor(two)).map(({ name }) => name)).toEqual(['ours']);
    expect(JSON.parse(textOf((await one.call('mine__env')).result))).toMatchObject({ cwd: folder });
    await one.manage('remove_server', { name: 'ours' });
    expect(await sharedFor(two)).toEqual([]);
  });

  it('A13: do not remove servers of the host, which others use', async () => {
    await using rig = await MuxRig.open({ hasWindows: true, addPolicy: { mode: 'allow' } });
    await rig.add('all', 'echo');
    const one = await windowIn(rig, '/here');
    const { result } = await one.call('remove_server', { name: 'all' });
    expect([result?.['isError'], textOf(result)]).toEqual([
      true,
      expect.stringContaining('other windows share it'),
    ]);
    expect(await sharedFor(one)).toHaveLength(1);
  });

  it('have a run each of a server with isolation: session, also of their folder', async () => {
    await using rig = await MuxRig.open({ hasWindows: true });
    const here = rig.mux.openWorkspace('/here');
    const [one, two] = [await windowIn(rig, '/here'), await windowIn(rig, '/here')];
    await here.addServer('mine', { ...fixtureCommand('echo'), isolation: 'session' });
    const pids = async (): Promise<readonly unknown[]> =>
      (await Promise.all([one, two].map(sharedFor))).flat().map(({ pid }) => pid);
    await expect
      .poll(async () => (await pids()).filter((pid) => typeof pid === 'number').length, WAIT)
      .toBe(2);
    const [first, second] = await pids();
    expect(first).not.toBe(second);
    await here.close();
    expect(await sharedFor(one)).toEqual([]);
  });

  it('A13: a shared server that asks for roots is told of when its call has ended, and why it is shared', async () => {
    await using rig = await MuxRig.open({ hasWindows: true });
    const found: string[] = [];
    rig.mux.on('server:asked-roots', ({ server }) => found.push(server));
    await rig.mux.addServer('asks', fixtureCommand('interactive'), { scopeReason: 'because' });
    const one = await MuxClient.initialized(rig.mux, { roots: {} }, { isolated: true });
    expect(await sharedFor(one)).toMatchObject([{ scope: 'all', scope_reason: 'because' }]);
    const called = one.call('asks__ask', { method: 'roots/list', params: {} });
    await one.line((line) => line.includes('roots/list'));
    expect(found).toEqual([]);
    one.send('{"jsonrpc":"2.0","id":"mux-1","result":{"roots":[]}}');
    await called;
    await expect.poll(() => found, WAIT).toEqual(['asks']);
  });

  it('a server of a folder has its layer in the audit, and in the event that it asks for roots', async () => {
    await using rig = await MuxRig.open({ hasWindows: true });
    const [asked, audited]: [unknown[], unknown[]] = [[], []];
    rig.mux.on('server:asked-roots', (event) => asked.push(event));
    rig.mux.on('audit', ({ action, server, layer }) => audited.push({ action, server, layer }));
    const here = rig.mux.openWorkspace('/here');
    await here.addServer('asks', fixtureCommand('interactive'));
    const [status] = rig.mux.listServers({ everywhere: true });
    const { layer } = status ?? {};
    expect(layer).toEqual(expect.any(String));
    const options = { workspace: '/here', isolated: true, folder: '/here' };
    const one = await MuxClient.initialized(rig.mux, { roots: {} }, options);
    const called = one.call('asks__ask', { method: 'roots/list', params: {} });
    await one.line((line) => line.includes('roots/list'));
    one.send('{"jsonrpc":"2.0","id":"mux-1","result":{"roots":[]}}');
    await called;
    await expect.poll(() => asked, WAIT).toEqual([{ server: 'asks', layer }]);
    await here.close();
    // the server ran before its first client, which has roots
    const actions = ['add', 'spawn', 'reload', 'spawn', 'remove'];
    expect(audited).toEqual(actions.map((action) => ({ action, server: 'asks', layer })));
  });

  it('ask their user under ids of their own, for a client that knows those of an earlier mux', async () => {
    await using rig = await MuxRig.open({ hasWindows: true, addPolicy: { mode: 'ask', commands: [] } });
    const one = await MuxClient.initialized(
      rig.mux,
      { elicitation: {} },
      { isolated: true, requestIds: 'mux-2' },
    );
    one.send(
      JSON.stringify({
        jsonrpc: '2.0',
        id: 'add',
        method: 'tools/call',
        params: { name: 'add_server', arguments: { name: 'x', ...fixtureCommand('echo') } },
      }),
    );
    expect(await one.line((line) => line.includes('elicitation/create'))).toContain('"id":"mux-2-1"');
  });
});

describe('a client beside a window', () => {
  const HOST = { id: 'host', roles: [], rights: [] };
  const toolsOf = async (client: MuxClient): Promise<readonly string[]> => {
    const { result } = await client.request('tools/list');
    const tools = (result?.['tools'] ?? []) as readonly { readonly name: string }[];
    return tools.map(({ name }) => name).filter((name) => name.includes('__'));
  };

  it('A13: sees the servers of that window and calls them, adds servers there, and ends with it', async () => {
    await using rig = await MuxRig.open({ hasWindows: true, addPolicy: { mode: 'allow' } });
    const [one, two] = [await windowIn(rig, '/'), await windowIn(rig, '/')];
    const { command, args } = fixtureCommand('echo');
    await one.manage('add_server', { name: 'mine', command, args });
    const visitor = await MuxClient.initialized(rig.mux, {}, { beside: one.session, principal: HOST });
    expect(await toolsOf(visitor)).toEqual(await toolsOf(one));
    expect(textOf((await visitor.call('mine__echo', { message: 'hi' })).result)).toBe('hi');
    await visitor.manage('add_server', { name: 'theirs', command, args });
    expect((await sharedFor(one)).map(({ name, scope, windows }) => [name, scope, windows])).toEqual([
      ['mine', 'window', 1],
      ['theirs', 'window', 1],
    ]);
    expect(await sharedFor(two)).toEqual([]);
    expect(one.session.added.map(({ name }) => name)).toEqual(['mine', 'theirs']);
    await one.session.close();
    await visitor.session.closed;
    expect(rig.mux.listServers({ everywhere: true })).toEqual([]);
  });
});

it('A13: a window gets the servers back that it had added to an earlier mux', async () => {
  await using rig = await MuxRig.open({ hasWindows: true, addPolicy: { mode: 'deny' } });
  const [one, two] = [await windowIn(rig, '/'), await windowIn(rig, '/')];
  const config = fixtureCommand('echo');
  const servers = [
    { name: 'ours', config, isForAll: true },
    { name: 'mine', config, isForAll: false },
  ];
  for (const server of servers) one.session.restore(server);
  expect(one.session.added).toEqual(servers);
  expect(two.session.added).toEqual(servers.slice(0, 1));
  expect(() => two.session.restore({ name: 'OURS', config, isForAll: true })).toThrow('exists');
  await expect.poll(async () => (await one.call('mine__echo', { message: 'm' })).error, WAIT).toBeUndefined();
  // What a window has added, it may remove.
  await one.manage('remove_server', { name: 'mine' });
  expect(one.session.added).toEqual(servers.slice(0, 1));
});
