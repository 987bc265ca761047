import { describe, expect, it } from 'vitest';

import { SessionsRig, type RigClient, type RigServer } from '../../testing/sessions-rig.js';

interface Rig {
  readonly a: RigServer;
  readonly b: RigServer;
  readonly client: RigClient;
}

/** Two servers, of which `b` has the extension `vendor`. */
async function rigOf(): Promise<Rig> {
  const rig = new SessionsRig();
  const a = rig.server('a', { tools: ['get'], resources: ['memo:///x'], capabilities: { resources: {} } });
  const b = rig.server('b', { tools: ['put'], capabilities: { extensions: { 'com.example/vendor': {} } } });
  return { a, b, client: await rig.client() };
}

describe('a request whose method mcpmux does not know', () => {
  it.each([
    ['x/run', '{"name":"b__put"}', '{"name":"put"}'],
    ['x/run', '{"taskId":"mux1:b:t"}', '{"taskId":"t"}'],
    ['vendor/run', '{"n":1.0}', '{"n":1.0}'],
  ])('S12: reaches the server that it can be for: %s %s', async (method, sent, reported) => {
    const { a, b, client } = await rigOf();
    await client.request('"o"', method, sent);
    expect(b.received).toEqual([`{"jsonrpc":"2.0","id":1,"method":"${method}","params":${reported}}`]);
    expect(a.received).toEqual([]);
    b.peer.answer(1, '{"n":1.0}');
    await expect(client.exchange()).resolves.toEqual(['{"jsonrpc":"2.0","id":"o","result":{"n":1.0}}']);
  });

  it('S12: reaches the server of the resource that it names', async () => {
    const { a, b, client } = await rigOf();
    await client.request('1', 'x/run', '{"uri":"memo:///x"}');
    expect([a.received.length, b.received.length]).toEqual([1, 0]);
  });

  it('S12: is refused when it could be for any of several servers', async () => {
    const { a, b, client } = await rigOf();
    await expect(client.request('1', 'x/run')).resolves.toEqual([
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Unknown method \\"x/run\\""}}',
    ]);
    expect([...a.received, ...b.received]).toEqual([]);
  });
});

describe('a message whose method mcpmux does not know', () => {
  it.each(['t', 'mux1:x:t'])(
    'I24: does not reach the task %s of another client by its own id',
    async (task) => {
      const rig = new SessionsRig();
      const server = rig.server('s', { tools: ['work'] });
      const [maker, other] = [await rig.client(), await rig.client()];
      await maker.request('1', 'tools/call', '{"name":"s__work","task":{}}');
      await server.exchange(
        `{"jsonrpc":"2.0","id":1,"result":{"task":{"taskId":"${task}","status":"working"}}}`,
      );
      const sent = server.received.length;
      await expect(other.request('1', 'x/run', `{"taskId":"${task}"}`)).resolves.toEqual([
        expect.stringContaining('"message":"Unknown task'),
      ]);
      await other.exchange(`{"jsonrpc":"2.0","method":"notifications/x","params":{"taskId":"${task}"}}`);
      expect(server.received.length).toBe(sent);
    },
  );
});

describe('a notification of a client that mcpmux does not know', () => {
  it('S12: reaches the server that it can be for, and no other', async () => {
    const { a, b, client } = await rigOf();
    await client.exchange('{"jsonrpc":"2.0","method":"notifications/x","params":{"n":1.0,"name":"a__get"}}');
    expect(a.received).toEqual([
      '{"jsonrpc":"2.0","method":"notifications/x","params":{"n":1.0,"name":"get"}}',
    ]);
    expect(b.received).toEqual([]);
  });

  it('S12: reaches nobody when it could be for any of several servers, or for one that does not run', async () => {
    const { a, b, client } = await rigOf();
    await client.exchange('{"jsonrpc":"2.0","method":"notifications/x"}');
    b.upstream.nowCrashed();
    await client.exchange('{"jsonrpc":"2.0","method":"notifications/x","params":{"taskId":"mux1:b:t"}}');
    expect([...a.received, ...b.received, ...client.take()]).toEqual([]);
  });
});
