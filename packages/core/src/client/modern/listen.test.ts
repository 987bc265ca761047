import { describe, expect, it } from 'vitest';

import { modernLine } from '../../testing/modern-lines.js';
import { SessionsRig, type RigClient, type RigServer } from '../../testing/sessions-rig.js';

const ALL = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
const OWN = { 'io.modelcontextprotocol/serverInfo': { name: 'mcpmux', version: '1' } };
const ID = 'io.modelcontextprotocol/subscriptionId';

function listen(id: string, notifications: unknown): string {
  return modernLine(id, 'subscriptions/listen', { notifications });
}

function parsed(lines: readonly string[]): readonly unknown[] {
  return lines.map((line) => JSON.parse(line) as unknown);
}

function acknowledged(id: unknown, notifications: object): object {
  return {
    jsonrpc: '2.0',
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications, _meta: { [ID]: id } },
  };
}

function changed(kind: string, id: unknown): object {
  return { jsonrpc: '2.0', method: `notifications/${kind}/list_changed`, params: { _meta: { [ID]: id } } };
}

/** A rig with a server that has a resource, and a client that has said nothing. */
function rigWithResource(): { rig: SessionsRig; server: RigServer; client: RigClient } {
  const rig = new SessionsRig();
  const server = rig.server('x', {
    resources: ['x:a', 'x:b'],
    capabilities: { resources: { subscribe: true } },
  });
  return { rig, server, client: rig.stranger() };
}

describe('S15: a request for notifications', () => {
  it('is acknowledged first, and then told of the lists that it names', async () => {
    const { rig, server, client } = rigWithResource();
    expect(parsed(await client.exchange(listen('"listen:0"', ALL)))).toEqual([acknowledged('listen:0', ALL)]);
    client.take();
    rig.nowHas(server, ['new'], ['tools']);
    await client.exchange();
    expect(parsed(client.take())).toEqual([changed('tools', 'listen:0')]);
  });

  it('is not told of a list that is as its client knows it', async () => {
    const { rig, server, client } = rigWithResource();
    await client.exchange(listen('1', ALL));
    rig.nowHas(server, ['new'], ['tools']);
    await client.exchange();
    client.take();
    rig.nowHas(server, ['new'], ['tools']);
    await client.exchange();
    expect(client.take()).toEqual([]);
  });

  it('is told of the list of a client of its name', async () => {
    const rig = new SessionsRig({
      mode: 'search',
      clients: [{ name: 'test', exposure: { mode: 'all' } }],
    });
    const server = rig.server('x', { tools: ['old'] });
    const client = rig.stranger();
    const [list = ''] = await client.exchange(modernLine('1', 'tools/list'));
    expect(list).toContain('x__old');
    await client.exchange(listen('2', ALL));
    client.take();
    rig.nowHas(server, ['new'], ['tools']);
    await client.exchange();
    expect(parsed(client.take())).toEqual([changed('tools', 2)]);
  });

  it('is told of no list that it does not name', async () => {
    const { rig, server, client } = rigWithResource();
    await client.exchange(listen('7', { promptsListChanged: true, toolsListChanged: false, odd: true }));
    expect(parsed(client.take())).toEqual([acknowledged(7, { promptsListChanged: true })]);
    rig.nowHas(server, ['new'], ['tools', 'prompts']);
    await client.exchange();
    expect(parsed(client.take())).toEqual([changed('prompts', 7)]);
  });

  it.each(['1', '[]', 'null'])('is refused without a filter: %s', async (filter) => {
    const { client } = rigWithResource();
    const line = listen('1', 0).replace('"notifications":0', `"notifications":${filter}`);
    expect(parsed(await client.exchange(line))).toMatchObject([{ id: 1, error: { code: -32602 } }]);
  });

  it('subscribes to resources at their servers, and is told when they change', async () => {
    const { server, client } = rigWithResource();
    await client.exchange(listen('"l"', { resourceSubscriptions: ['x:a', 'nobody:has'] }));
    expect(client.take()).toEqual([]);
    expect(server.received).toContain(
      '{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"x:a"}}',
    );
    await server.exchange(
      '{"jsonrpc":"2.0","id":1,"result":{}}',
      '{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"unknown"}}',
    );
    expect(parsed(client.take())).toEqual([acknowledged('l', { resourceSubscriptions: ['x:a'] })]);
    await server.report('notifications/resources/updated', '{"uri":"x:a","_meta":{"k":1}}');
    await server.report('notifications/resources/updated', '{"uri":"x:a"}');
    expect(parsed(client.take())).toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/resources/updated',
        params: { uri: 'x:a', _meta: { k: 1, [ID]: 'l' } },
      },
      {
        jsonrpc: '2.0',
        method: 'notifications/resources/updated',
        params: { uri: 'x:a', _meta: { [ID]: 'l' } },
      },
    ]);
  });

  it('shares the subscription of another client, which the last holder gives up', async () => {
    const { rig, server, client } = rigWithResource();
    const legacy = await rig.client();
    await legacy.request('1', 'resources/subscribe', '{"uri":"x:a"}');
    await server.exchange('{"jsonrpc":"2.0","id":1,"result":{}}');
    await client.exchange(listen('"l"', { resourceSubscriptions: ['x:a'] }));
    expect(server.received).toHaveLength(1);
    legacy.take();
    client.take();
    await server.report('notifications/resources/updated', '{"uri":"x:a"}');
    expect(legacy.take()).toEqual([
      '{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"x:a"}}',
    ]);
    expect(client.take()).toHaveLength(1);
    await legacy.request('2', 'resources/unsubscribe', '{"uri":"x:a"}');
    expect(server.received).toHaveLength(1);
    await client.exchange('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"l"}}');
    expect(server.received.at(-1)).toContain('"method":"resources/unsubscribe"');
    expect(client.take()).toEqual([]);
  });

  it('is acknowledged without the resources of a server that does not answer in time', async () => {
    const { rig, client } = rigWithResource();
    await client.exchange(listen('1', { toolsListChanged: true, resourceSubscriptions: ['x:a'] }));
    expect(client.take()).toEqual([]);
    rig.clock.advance(2000);
    await client.exchange();
    expect(parsed(client.take())).toEqual([acknowledged(1, { toolsListChanged: true })]);
  });

  it('is told after the acknowledgement of what happened before', async () => {
    const { rig, server, client } = rigWithResource();
    await client.exchange(listen('1', { toolsListChanged: true, resourceSubscriptions: ['x:a'] }));
    rig.nowHas(server, ['new'], ['tools']);
    rig.nowHas(server, ['newer'], ['tools']);
    await server.exchange('{"jsonrpc":"2.0","id":1,"result":{}}');
    expect(parsed(client.take())).toEqual([
      acknowledged(1, { toolsListChanged: true, resourceSubscriptions: ['x:a'] }),
      changed('tools', 1),
    ]);
  });

  it('hears that it may have missed something when a server runs anew', async () => {
    const { server, client } = rigWithResource();
    await client.exchange(listen('1', { resourceSubscriptions: ['x:a'] }));
    await server.exchange('{"jsonrpc":"2.0","id":1,"result":{}}');
    client.take();
    await server.reload();
    await server.exchange('{"jsonrpc":"2.0","id":1,"result":{}}');
    expect(parsed(client.take())).toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/resources/updated',
        params: { uri: 'x:a', _meta: { [ID]: 1 } },
      },
    ]);
  });

  it('ends with a result when mcpmux ends, and at once', async () => {
    const { rig, client } = rigWithResource();
    await client.exchange(listen('"l"', ALL));
    client.take();
    await rig.sessions.finish(60_000);
    expect(parsed(client.lines)).toEqual([
      { jsonrpc: '2.0', id: 'l', result: { resultType: 'complete', _meta: { ...OWN, [ID]: 'l' } } },
    ]);
  });

  it('of two clients with one id are two', async () => {
    const { rig, server } = rigWithResource();
    const [first, second] = [rig.stranger(), rig.stranger()];
    for (const client of [first, second]) await client.exchange(listen('"listen:0"', ALL));
    await first.exchange(
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"listen:0"}}',
    );
    for (const client of [first, second]) client.take();
    rig.nowHas(server, ['new'], ['tools']);
    await first.exchange();
    expect(first.take()).toEqual([]);
    expect(second.take()).toHaveLength(1);
  });
});
