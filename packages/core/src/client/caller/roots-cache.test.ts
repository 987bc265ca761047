import { describe, expect, it } from 'vitest';

import { SessionsRig, type RigClient } from '../../testing/sessions-rig.js';

const CHANGED = '{"jsonrpc":"2.0","method":"notifications/roots/list_changed","params":{"n":1.0}}';
const ROOTS = { roots: { listChanged: true } };

async function answerRoots(client: RigClient, uri: string): Promise<void> {
  const { id } = JSON.parse(client.take().join()) as { readonly id: string };
  await client.exchange(`{"jsonrpc":"2.0","id":"${id}","result":{"roots":[{"uri":"${uri}","n":1.0}]}}`);
}

describe('the roots of a client', () => {
  it('S6: are asked for once, and given to every server byte for byte', async () => {
    const rig = new SessionsRig();
    const [s, t] = [rig.server('s'), rig.server('t')];
    const client = await rig.client(ROOTS);
    await s.ask('1', 'roots/list');
    await answerRoots(client, 'file:///a');
    await expect(t.ask('"t"', 'roots/list')).resolves.toEqual([
      '{"jsonrpc":"2.0","id":"t","result":{"roots":[{"uri":"file:///a","n":1.0}]}}',
    ]);
    expect(client.take()).toEqual([]);
  });

  it('S6: are asked for again after they have changed, of which the servers that asked are told', async () => {
    const rig = new SessionsRig();
    const [s, t] = [rig.server('s'), rig.server('t')];
    const client = await rig.client(ROOTS);
    await s.ask('1', 'roots/list');
    await answerRoots(client, 'file:///a');
    await client.exchange(CHANGED);
    expect([s.received.at(-1), t.received.length]).toEqual([CHANGED, 0]);
    await s.ask('2', 'roots/list');
    await answerRoots(client, 'file:///b');
    expect(s.received.at(-1)).toContain('file:///b');
  });

  it('S6: are asked for each time when the client would not say that they have changed', async () => {
    const rig = new SessionsRig();
    const server = rig.server('s');
    const client = await rig.client({ roots: {} });
    await server.ask('1', 'roots/list');
    await answerRoots(client, 'file:///a');
    await server.ask('2', 'roots/list');
    expect(client.take()).toHaveLength(1);
  });

  it('S6: of one client are not given for those of another', async () => {
    const rig = new SessionsRig();
    const server = rig.server('s', { tools: ['get'] });
    const [a, b] = [await rig.client(ROOTS), await rig.client(ROOTS)];
    await a.request('1', 'tools/call', '{"name":"s__get"}');
    await server.ask('1', 'roots/list');
    await answerRoots(a, 'file:///a');
    server.peer.answer(1, '{}');
    await b.request('1', 'tools/call', '{"name":"s__get"}');
    await server.ask('2', 'roots/list');
    await answerRoots(b, 'file:///b');
    expect(server.received.at(-1)).toContain('file:///b');
  });

  it('S6: that failed to come are asked for again', async () => {
    const rig = new SessionsRig();
    const server = rig.server('s');
    const client = await rig.client(ROOTS);
    await server.ask('1', 'roots/list');
    await client.exchange('{"jsonrpc":"2.0","id":"mux-1","error":{"code":-1,"message":"no"}}');
    client.take();
    await server.ask('2', 'roots/list');
    expect(client.take()).toHaveLength(1);
  });
});

describe('a change to roots', () => {
  it('S6: is told to the present run of a server, and to none of those before', async () => {
    const rig = new SessionsRig();
    const server = rig.server('s');
    const client = await rig.client(ROOTS);
    await server.ask('1', 'roots/list');
    await answerRoots(client, 'file:///a');
    const before = server.peer.received.length;
    const { peer } = server;
    await server.reload();
    await server.ask('1', 'roots/list');
    await client.exchange(CHANGED);
    expect(peer.received).toHaveLength(before);
    expect(server.received.filter((line) => line === CHANGED)).toHaveLength(1);
  });

  it('S6: is not told to a server that was removed', async () => {
    const rig = new SessionsRig();
    const server = rig.server('s');
    const client = await rig.client(ROOTS);
    await server.ask('1', 'roots/list');
    await answerRoots(client, 'file:///a');
    rig.sessions.forgetServer(server.upstream);
    await client.exchange(CHANGED);
    expect(server.received).not.toContain(CHANGED);
  });
});
