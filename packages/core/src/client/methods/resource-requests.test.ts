import { describe, expect, it } from 'vitest';

import { SessionsRig, type RigClient, type RigServer } from '../../testing/sessions-rig.js';

const CAPABILITIES = { resources: { subscribe: true } };
const SHARED = 'memo:///x';

interface Rig {
  readonly first: RigServer;
  readonly second: RigServer;
  readonly client: RigClient;
  /** The URI under which clients know the second server's. */
  readonly alias: string;
}

/** Two servers that list the same URI. */
async function rigOf(): Promise<Rig> {
  const rig = new SessionsRig();
  const [first, second] = [
    rig.server('first', { resources: [SHARED], capabilities: CAPABILITIES }),
    rig.server('second', { resources: [SHARED], capabilities: CAPABILITIES }),
  ];
  const client = await rig.client();
  const [list = ''] = await client.request('1', 'resources/list');
  const { result } = JSON.parse(list) as {
    readonly result: { readonly resources: readonly { uri: string }[] };
  };
  client.take();
  return { first, second, client, alias: result.resources[1]?.uri ?? '' };
}

describe.each(['resources/read', 'resources/subscribe', 'resources/unsubscribe'])('%s', (method) => {
  it('S1: reaches the server of the resource with all its bytes', async () => {
    const { first, second, client } = await rigOf();
    await client.request('"r"', method, `{ "x":1.0, "uri" : "${SHARED}"}`);
    expect(first.received).toEqual([
      `{"jsonrpc":"2.0","id":1,"method":"${method}","params":{ "x":1.0, "uri" : "${SHARED}"}}`,
    ]);
    expect(second.received).toEqual([]);
    first.peer.answer(1, '{"n":1.0}');
    await expect(client.exchange()).resolves.toEqual(['{"jsonrpc":"2.0","id":"r","result":{"n":1.0}}']);
  });

  it('A3: of an alias reaches its server with the URI that the server knows', async () => {
    const { first, second, client, alias } = await rigOf();
    expect(alias).not.toBe(SHARED);
    await client.request('1', method, `{"uri":"${alias}"}`);
    expect(first.received).toEqual([]);
    expect(second.received).toEqual([
      `{"jsonrpc":"2.0","id":1,"method":"${method}","params":{"uri":"${SHARED}"}}`,
    ]);
  });

  it.each(['{}', '{"uri":5}', '[]'])('S1: needs a URI: %s', async (params) => {
    const { first, client } = await rigOf();
    await expect(client.request('1', method, params)).resolves.toEqual([
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params.uri must be a string"}}',
    ]);
    expect(first.received).toEqual([]);
  });

  it('S1: of a server that has crashed says why', async () => {
    const { first, client } = await rigOf();
    first.upstream.nowCrashed();
    await expect(client.request('1', method, `{"uri":"${SHARED}"}`)).resolves.toEqual([
      expect.stringMatching(/"id":1,"error":\{"code":-32603,"message":"Server \\"first\\" exited/),
    ]);
  });
});

describe('a read resource', () => {
  it('A3: comes back under the URI that the client knows', async () => {
    const { second, client, alias } = await rigOf();
    await client.request('1', 'resources/read', `{"uri":"${alias}"}`);
    second.peer.answer(1, `{"contents":[{"text":"t","uri":"${SHARED}"}]}`);
    await expect(client.exchange()).resolves.toEqual([
      `{"jsonrpc":"2.0","id":1,"result":{"contents":[{"text":"t","uri":"${alias}"}]}}`,
    ]);
  });
});

describe('a subscription to a resource of which nobody knows whose it is', () => {
  it('S1: is tried at one server only', async () => {
    const { first, second, client } = await rigOf();
    await client.request('1', 'resources/subscribe', '{"uri":"odd:///y"}');
    expect([first.received.length, second.received.length]).toEqual([1, 0]);
    await first.exchange('{"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"no"}}');
    expect(client.take()).toEqual(['{"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"no"}}']);
    expect(second.received).toEqual([]);
  });
});
