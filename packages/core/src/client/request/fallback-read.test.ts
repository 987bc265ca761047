import { describe, expect, it } from 'vitest';

import { SessionsRig, type RigClient, type RigServer } from '../../testing/sessions-rig.js';

const READ = '{"uri":"memo:///x"}';
const notFound = (code: number): string =>
  `{"jsonrpc":"2.0","id":1,"error":{"code":${code},"message":"nothing here"}}`;

/** A client has asked for a resource of which none of so many servers has ever spoken. */
async function searching(
  count: number,
  params = READ,
): Promise<{
  readonly rig: SessionsRig;
  readonly client: RigClient;
  readonly servers: readonly RigServer[];
}> {
  const rig = new SessionsRig();
  const servers = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
    .slice(0, count)
    .map((name) => rig.server(name, { capabilities: { resources: {} } }));
  const client = await rig.client();
  await client.request('"r"', 'resources/read', params);
  return { rig, client, servers };
}

/** How many lines each server was sent. */
function counts(servers: readonly RigServer[]): readonly number[] {
  return servers.map(({ received }) => received.length);
}

describe('a resource of which nobody knows whose it is', () => {
  it.each([-32_002, -32_602])('S1: is looked for at one server after the other: %i', async (code) => {
    const { client, servers } = await searching(3);
    const [a, b] = servers;
    expect(counts(servers)).toEqual([1, 0, 0]);
    await a?.exchange(notFound(code));
    expect(counts(servers)).toEqual([1, 1, 0]);
    await b?.exchange('{"jsonrpc":"2.0","id":1,"result":{"contents":[],"n":1.0}}');
    expect(counts(servers)).toEqual([1, 1, 0]);
    expect(client.take()).toEqual(['{"jsonrpc":"2.0","id":"r","result":{"contents":[],"n":1.0}}']);
  });

  it('S1: is not found when the last server has not found it either', async () => {
    const { client, servers } = await searching(2);
    for (const server of servers) await server.exchange(notFound(-32_002));
    expect(client.take()).toEqual([
      '{"jsonrpc":"2.0","id":"r","error":{"code":-32002,"message":"nothing here"}}',
    ]);
  });

  it('S1: is looked for at five servers at most', async () => {
    const { client, servers } = await searching(7);
    for (const server of servers.slice(0, 5)) await server.exchange(notFound(-32_002));
    expect(counts(servers)).toEqual([1, 1, 1, 1, 1, 0, 0]);
    expect(client.take()).toHaveLength(1);
  });

  it('S1: is not looked for any further when a server fails to read it', async () => {
    const { client, servers } = await searching(2);
    await servers[0]?.exchange('{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"disk"}}');
    expect(client.take()).toEqual(['{"jsonrpc":"2.0","id":"r","error":{"code":-32603,"message":"disk"}}']);
    expect(counts(servers)).toEqual([1, 0]);
  });

  it('S1: is looked for at the next server when one stops in the middle', async () => {
    const { client, servers } = await searching(2);
    servers[0]?.connection.failAll({ kind: 'removed' });
    await servers[1]?.exchange('{"jsonrpc":"2.0","id":1,"result":{"contents":[]}}');
    expect(client.take()).toEqual(['{"jsonrpc":"2.0","id":"r","result":{"contents":[]}}']);
  });

  it('S1: is answered once when every server stops', async () => {
    const { client, servers } = await searching(3);
    for (const { connection } of servers) connection.failAll({ kind: 'removed' });
    await client.exchange();
    expect(client.take()).toEqual([expect.stringMatching(/"id":"r","error":\{"code":-32603/)]);
  });

  it('S1: passes over a server that stopped before its turn', async () => {
    const { client, servers } = await searching(3);
    servers[1]?.upstream.nowCrashed();
    await servers[0]?.exchange(notFound(-32_002));
    expect(counts(servers)).toEqual([1, 0, 1]);
    await servers[2]?.exchange('{"jsonrpc":"2.0","id":1,"result":{"contents":[]}}');
    expect(client.take()).toHaveLength(1);
  });

  it('S9: is cancelled at the server that is looking, and at no other', async () => {
    const { client, servers } = await searching(3);
    await servers[0]?.exchange(notFound(-32_002));
    await client.exchange('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"r"}}');
    expect(servers[1]?.received.slice(1)).toEqual([
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}',
    ]);
    await servers[1]?.exchange(notFound(-32_002));
    expect(counts(servers)).toEqual([1, 2, 0]);
    expect(client.take()).toEqual([]);
  });

  it('S9: reports progress with the token of the client', async () => {
    const { client, servers } = await searching(2, '{"uri":"memo:///x","_meta":{"progressToken":"t"}}');
    await servers[0]?.exchange(notFound(-32_002));
    const progress = (token: string): string =>
      `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},"progress":1}}`;
    await servers[1]?.exchange(progress('1'));
    expect(client.take()).toEqual([progress('"t"')]);
  });

  it('S1: is not looked for any further when the client has gone', async () => {
    const { client, servers } = await searching(2);
    await client.leave();
    await servers[0]?.exchange(notFound(-32_002));
    expect(servers[0]?.received).toHaveLength(2);
    expect(counts(servers)).toEqual([2, 0]);
  });

  it('S1: is answered when the session ends in the middle', async () => {
    const { rig, client } = await searching(2);
    void client.session.finish(1000);
    await client.exchange();
    rig.clock.advance(1000);
    await client.exchange();
    expect(client.take()).toEqual([expect.stringMatching(/"id":"r","error":\{"code":-32603/)]);
  });

  it('S1: is known from then on, when a server has read it', async () => {
    const { client, servers } = await searching(2);
    await servers[0]?.exchange(notFound(-32_002));
    await servers[1]?.exchange('{"jsonrpc":"2.0","id":1,"result":{"contents":[{"uri":"memo:///x"}]}}');
    await client.request('2', 'resources/read', READ);
    expect(counts(servers)).toEqual([1, 2]);
  });
});

describe('a resource, when no server has any', () => {
  it('S1: is not found', async () => {
    const rig = new SessionsRig();
    rig.server('a');
    const client = await rig.client();
    const [answer] = await client.request('1', 'resources/read', READ);
    expect(answer).toContain('"error":{"code":-32602,"message":"Resource \\"memo:///x\\" not found');
  });
});
