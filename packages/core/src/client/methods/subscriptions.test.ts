import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '@mcpmux/kit';

import { SessionsRig, type RigClient, type RigServer } from '../../testing/sessions-rig.js';

const FOLDER = 'memo:///folder';
const CAPABILITIES = { resources: { subscribe: true } };
const updated = (uri: string): string =>
  `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"${uri}"}}`;

interface Rig {
  readonly rig: SessionsRig;
  readonly server: RigServer;
  readonly a: RigClient;
  readonly b: RigClient;
}

async function twoClients(): Promise<Rig> {
  const rig = new SessionsRig();
  const server = rig.server('s', { resources: [FOLDER, `${FOLDER}/x`], capabilities: CAPABILITIES });
  return { rig, server, a: await rig.client(), b: await rig.client() };
}

/** Subscribes, and has the server agree if it is asked. */
async function subscribe(client: RigClient, server: RigServer, uri = FOLDER): Promise<void> {
  const before = server.received.length;
  await client.request('"sub"', 'resources/subscribe', `{"uri":"${uri}"}`);
  await agree(client, server, before);
}

async function agree(client: RigClient, server: RigServer, before: number): Promise<void> {
  for (const line of server.received.slice(before)) {
    const { id } = JSON.parse(line) as { readonly id: number };
    server.peer.answer(id, '{}');
  }
  await client.exchange();
  expect(client.take()).toEqual(['{"jsonrpc":"2.0","id":"sub","result":{}}']);
}

function methodsAt({ received }: RigServer): readonly string[] {
  return received.map((line) => (JSON.parse(line) as { readonly method: string }).method);
}

describe('subscriptions of several clients to one resource', () => {
  it('S1: are one at the server, which loses it with the last of them', async () => {
    const { server, a, b } = await twoClients();
    await subscribe(a, server);
    await subscribe(b, server);
    expect(methodsAt(server)).toEqual(['resources/subscribe']);
    await expect(a.request('1', 'resources/unsubscribe', `{"uri":"${FOLDER}"}`)).resolves.toHaveLength(1);
    expect(methodsAt(server)).toEqual(['resources/subscribe']);
    await b.request('1', 'resources/unsubscribe', `{"uri":"${FOLDER}"}`);
    expect(methodsAt(server)).toEqual(['resources/subscribe', 'resources/unsubscribe']);
  });

  it('S1: are not more for a client that subscribes twice', async () => {
    const { server, a } = await twoClients();
    await subscribe(a, server);
    await subscribe(a, server);
    await a.request('1', 'resources/unsubscribe', `{"uri":"${FOLDER}"}`);
    expect(methodsAt(server)).toEqual(['resources/subscribe', 'resources/unsubscribe']);
  });

  it('S1: are given up when the last client leaves, and only then', async () => {
    const { server, a, b } = await twoClients();
    await subscribe(a, server);
    await subscribe(b, server);
    await a.leave();
    expect(methodsAt(server)).toEqual(['resources/subscribe']);
    await b.leave();
    expect(methodsAt(server)).toEqual(['resources/subscribe', 'resources/unsubscribe']);
  });

  it('S1: are kept when one is given up before the server has agreed to another', async () => {
    const { server, a, b } = await twoClients();
    const params = `{"uri":"${FOLDER}"}`;
    await a.request('"sub"', 'resources/subscribe', params);
    await b.request('"sub"', 'resources/subscribe', params);
    await server.exchange('{"jsonrpc":"2.0","id":1,"result":{}}');
    await a.request('"un"', 'resources/unsubscribe', params);
    await server.exchange('{"jsonrpc":"2.0","id":2,"result":{}}', '{"jsonrpc":"2.0","id":3,"result":{}}');
    expect(methodsAt(server).slice(2)).toEqual(['resources/unsubscribe', 'resources/subscribe']);
    expect(b.take()).toEqual(['{"jsonrpc":"2.0","id":"sub","result":{}}']);
    await server.exchange(updated(FOLDER));
    expect(b.take()).toEqual([updated(FOLDER)]);
  });

  it('S1: do not come to be for a client that has given its own up before the server agreed', async () => {
    const { server, a, b } = await twoClients();
    const params = `{"uri":"${FOLDER}"}`;
    await a.request('"sub"', 'resources/subscribe', params);
    await a.request('"un"', 'resources/unsubscribe', params);
    await server.exchange('{"jsonrpc":"2.0","id":1,"result":{}}', '{"jsonrpc":"2.0","id":2,"result":{}}');
    expect(a.take()).toEqual([
      '{"jsonrpc":"2.0","id":"sub","result":{}}',
      '{"jsonrpc":"2.0","id":"un","result":{}}',
    ]);
    expect(methodsAt(server)).toEqual(['resources/subscribe', 'resources/unsubscribe']);
    await subscribe(b, server);
    expect(methodsAt(server).slice(2)).toEqual(['resources/subscribe']);
    await server.exchange(updated(FOLDER));
    expect([a.take(), b.take()]).toEqual([[], [updated(FOLDER)]]);
  });

  it('S1: come to be for a client that has changed its mind twice before the server agreed', async () => {
    const { server, a } = await twoClients();
    const params = `{"uri":"${FOLDER}"}`;
    await a.request('"sub"', 'resources/subscribe', params);
    await a.request('"un"', 'resources/unsubscribe', params);
    await a.request('"again"', 'resources/subscribe', params);
    await server.exchange(...[1, 2, 3].map((id) => `{"jsonrpc":"2.0","id":${id},"result":{}}`));
    expect(a.take()).toHaveLength(3);
    await server.exchange(updated(FOLDER));
    expect(a.take()).toEqual([updated(FOLDER)]);
  });

  it('S1: that a server refuses to make anew are brought to it by the next client that asks', async () => {
    const { server, a, b } = await twoClients();
    await subscribe(a, server);
    await server.reload();
    await server.exchange('{"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"gone"}}');
    expect(a.take()).toEqual([updated(FOLDER)]);
    await b.request('"sub"', 'resources/subscribe', `{"uri":"${FOLDER}"}`);
    await server.exchange('{"jsonrpc":"2.0","id":2,"error":{"code":-32002,"message":"gone"}}');
    expect(b.take()).toEqual(['{"jsonrpc":"2.0","id":"sub","error":{"code":-32002,"message":"gone"}}']);
  });

  it('S1: are kept when the server gives no answer to their renewal', async () => {
    const { rig, server, a } = await twoClients();
    await subscribe(a, server);
    await server.reload();
    rig.clock.advance(DEFAULT_LIMITS.listTimeoutMs);
    await a.exchange();
    expect(a.take()).toEqual([updated(FOLDER)]);
    await server.exchange(updated(FOLDER));
    expect(a.take()).toEqual([updated(FOLDER)]);
  });

  it('S1: do not come to be when the server refuses', async () => {
    const { server, a } = await twoClients();
    await a.request('1', 'resources/subscribe', `{"uri":"${FOLDER}"}`);
    await server.exchange('{"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"no"}}');
    expect(a.take()).toEqual(['{"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"no"}}']);
    await server.exchange(updated(FOLDER));
    expect(a.take()).toEqual([]);
  });

  it('S1: are made anew at a server that is reloaded, and each client hears that something may have been missed', async () => {
    const { server, a, b } = await twoClients();
    await subscribe(a, server);
    await server.reload();
    expect(methodsAt(server)).toEqual(['resources/subscribe']);
    await server.exchange('{"jsonrpc":"2.0","id":1,"result":{}}');
    expect([a.take(), b.take()]).toEqual([[updated(FOLDER)], []]);
  });

  it('S1, E4: that the run before a swap agrees to when another has taken over are brought to that one', async () => {
    const { server, a } = await twoClients();
    await a.request('"sub"', 'resources/subscribe', `{"uri":"${FOLDER}"}`);
    const before = await server.swap();
    expect(server.received).toEqual([]);
    before.answer(1, '{}');
    await a.exchange();
    expect(a.take()).toEqual(['{"jsonrpc":"2.0","id":"sub","result":{}}']);
    expect(methodsAt(server)).toEqual(['resources/subscribe']);
    await server.exchange('{"jsonrpc":"2.0","id":1,"result":{}}', updated(FOLDER));
    expect(a.take()).toEqual([updated(FOLDER)]);
  });

  it('S1: are forgotten with a server that is removed', async () => {
    const { rig, server, a } = await twoClients();
    await subscribe(a, server);
    rig.sessions.forgetServer(server.upstream);
    await a.leave();
    expect(methodsAt(server)).toEqual(['resources/subscribe']);
  });
});

describe('a change to a resource', () => {
  it('S1: is told to those who subscribed to it, and to no other', async () => {
    const { server, a, b } = await twoClients();
    await subscribe(a, server);
    await server.exchange(updated(FOLDER));
    expect([a.take(), b.take()]).toEqual([[updated(FOLDER)], []]);
  });

  it('S1: is told to nobody else when it was on its way as its only subscriber left', async () => {
    const { server, a, b } = await twoClients();
    await subscribe(a, server);
    await subscribe(b, server, `${FOLDER}/x`);
    await a.request('1', 'resources/unsubscribe', `{"uri":"${FOLDER}"}`);
    await server.exchange(updated(FOLDER));
    expect(b.take()).toEqual([]);
  });

  it('S1: is told to nobody else when the only subscriber to what is above it has left', async () => {
    const { server, a, b } = await twoClients();
    await subscribe(a, server);
    await subscribe(b, server, `${FOLDER}/x`);
    await a.leave();
    await server.exchange(updated(`${FOLDER}/y`));
    expect(b.take()).toEqual([]);
  });

  it('S1: is told to those who subscribed to what is above it', async () => {
    const { server, a, b } = await twoClients();
    await subscribe(a, server);
    await subscribe(b, server, `${FOLDER}/x`);
    await server.exchange(updated(`${FOLDER}/y`));
    expect([a.take(), b.take()]).toEqual([[updated(`${FOLDER}/y`)], []]);
  });

  it('S1: of another server with the same URI is told with its alias, and does not reach subscribers of the first', async () => {
    const { rig, server, a, b } = await twoClients();
    const other = rig.server('other', { resources: [FOLDER], capabilities: CAPABILITIES });
    await subscribe(a, server);
    const [list = ''] = await b.request('1', 'resources/list');
    b.take();
    const alias = /"uri":"([^"]*other[^"]*)"/.exec(list)?.[1] ?? '';
    await subscribe(b, other, alias);
    expect(other.received.at(-1)).toContain(`"uri":"${FOLDER}"`);
    await other.exchange(updated(FOLDER));
    expect([a.take(), b.take()]).toEqual([[], [updated(alias)]]);
    await other.reload();
    await other.exchange('{"jsonrpc":"2.0","id":1,"result":{}}');
    expect([a.take(), b.take()]).toEqual([[], [updated(alias)]]);
  });

  it.each([FOLDER, `${FOLDER}/x`])(
    'S1: of %s is not told to the client left of two when the other held it',
    async (uri) => {
      const { server, a, b } = await twoClients();
      await subscribe(a, server);
      await a.leave();
      await server.exchange(updated(uri));
      expect(b.take()).toEqual([]);
    },
  );

  it('S1: without any subscription is told to the only client, and to none of several', async () => {
    const rig = new SessionsRig();
    const server = rig.server('s', { capabilities: CAPABILITIES });
    const a = await rig.client();
    await server.exchange(updated('memo:///new'));
    expect(a.take()).toEqual([updated('memo:///new')]);
    const b = await rig.client();
    await server.exchange(updated('memo:///new'));
    expect([...a.take(), ...b.take()]).toEqual([]);
  });
});
