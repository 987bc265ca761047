import { describe, expect, it } from 'vitest';

import { ANYBODY } from '../../guards/principal.js';
import { SessionsRig, type RigServer } from '../../testing/sessions-rig.js';

const LISTS = { tasks: { list: {} }, resources: {} };

function answerTo(server: RigServer, result: string): Promise<readonly string[]> {
  const { id } = JSON.parse(server.received.at(-1) ?? '') as { readonly id: number };
  return server.exchange(`{"jsonrpc":"2.0","id":${id},"result":${result}}`);
}

describe('a request about a task', () => {
  it.each(['tasks/get', 'tasks/result', 'tasks/cancel'])(
    'S8: reaches the server of the task, each knowing it by its own id: %s',
    async (method) => {
      const rig = new SessionsRig();
      const [server, other] = [rig.server('s'), rig.server('other')];
      const client = await rig.client();
      await client.request('"t"', method, '{"x":1.0,"taskId":"mux1:s:a:b"}');
      expect(server.received).toEqual([
        `{"jsonrpc":"2.0","id":1,"method":"${method}","params":{"x":1.0,"taskId":"a:b"}}`,
      ]);
      expect(other.received).toEqual([]);
      await answerTo(server, '{"taskId":"a:b","status":"working","n":1.0}');
      expect(client.take()).toEqual([
        '{"jsonrpc":"2.0","id":"t","result":{"taskId":"mux1:s:a:b","status":"working","n":1.0}}',
      ]);
    },
  );

  it.each(['{"taskId":"a"}', '{"taskId":"mux1:nobody:a"}', '{"taskId":5}', '{}'])(
    'S8: that nobody has is refused: %s',
    async (params) => {
      const rig = new SessionsRig();
      const server = rig.server('s');
      const client = await rig.client();
      await expect(client.request('1', 'tasks/get', params)).resolves.toEqual([
        expect.stringContaining('"id":1,"error":{"code":-32602'),
      ]);
      expect(server.received).toEqual([]);
    },
  );

  it('S8: of a server that has crashed says why', async () => {
    const rig = new SessionsRig();
    rig.server('s').upstream.nowCrashed();
    const client = await rig.client();
    await expect(client.request('1', 'tasks/get', '{"taskId":"mux1:s:a"}')).resolves.toEqual([
      expect.stringContaining('exited with code 1'),
    ]);
  });

  it('S8: gets a result that names task and resources as the result of a call does', async () => {
    const rig = new SessionsRig();
    rig.server('first', { resources: ['memo:///x'], capabilities: LISTS });
    const server = rig.server('s', { resources: ['memo:///x'], capabilities: LISTS });
    const client = await rig.client();
    await client.request('1', 'tasks/result', '{"taskId":"mux1:s:a"}');
    await answerTo(
      server,
      '{"content":[{"type":"resource_link","uri":"memo:///x","name":"r"}],' +
        '"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"a"}}}',
    );
    const [answer = ''] = client.take();
    expect(answer).toContain('"taskId":"mux1:s:a"');
    expect(answer).not.toContain('"memo:///x"');
  });
});

describe('tasks/list', () => {
  it('S8: lists those of every server that can list its own, on one page', async () => {
    const rig = new SessionsRig();
    const [a, b] = [rig.server('a', { capabilities: LISTS }), rig.server('b', { capabilities: LISTS })];
    const unable = rig.server('c', { capabilities: { tasks: {} } });
    const client = await rig.client();
    await client.request('1', 'tasks/list');
    expect(client.take()).toEqual([]);
    await answerTo(a, '{"tasks":[{"taskId":"t","n":1.0}],"nextCursor":"2"}');
    await answerTo(b, '{"tasks":[]}');
    await answerTo(a, '{"tasks":[{"n":2,"taskId":"u"}]}');
    expect(client.take()).toEqual([
      '{"jsonrpc":"2.0","id":1,"result":{"tasks":[{"taskId":"mux1:a:t","n":1.0},{"n":2,"taskId":"mux1:a:u"}]}}',
    ]);
    expect(unable.received).toEqual([]);
  });

  it('S8: is not kept back by a server that fails, or that stops', async () => {
    const rig = new SessionsRig();
    const servers = ['a', 'b', 'c'].map((name) => rig.server(name, { capabilities: LISTS }));
    const client = await rig.client();
    await client.request('1', 'tasks/list');
    await servers[0]?.exchange('{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}}');
    servers[1]?.connection.failAll({ kind: 'removed' });
    await servers[2]?.exchange('{"jsonrpc":"2.0","id":1,"result":{"tasks":[{"taskId":"t"}]}}');
    expect(client.take()).toEqual(['{"jsonrpc":"2.0","id":1,"result":{"tasks":[{"taskId":"mux1:c:t"}]}}']);
  });

  it('S8: is answered without a server that keeps silent', async () => {
    const rig = new SessionsRig();
    rig.server('a', { capabilities: LISTS });
    const client = await rig.client();
    await client.request('1', 'tasks/list');
    rig.clock.advance(10_000);
    await expect(client.exchange()).resolves.toEqual(['{"jsonrpc":"2.0","id":1,"result":{"tasks":[]}}']);
  });

  it('S8: that was cancelled is not answered, and its id is free', async () => {
    const rig = new SessionsRig();
    const server = rig.server('a', { capabilities: LISTS });
    const client = await rig.client();
    await client.request('1', 'tasks/list');
    await client.exchange('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}');
    await answerTo(server, '{"tasks":[]}');
    expect(client.take()).toEqual([]);
  });

  it('S8: with a cursor is refused, because there is one page', async () => {
    const rig = new SessionsRig();
    const client = await rig.client();
    await expect(client.request('1', 'tasks/list', '{"cursor":"x"}')).resolves.toEqual([
      expect.stringContaining('"error":{"code":-32602'),
    ]);
  });
});

describe('a task of one client', () => {
  it('S8: is not there for another: not to be read, not to be ended, not in its list', async () => {
    const rig = new SessionsRig();
    const server = rig.server('s', { tools: ['work'], capabilities: LISTS });
    const [maker, other] = [await rig.client(), await rig.client()];
    await maker.request('1', 'tools/call', '{"name":"s__work","task":{}}');
    await answerTo(server, '{"task":{"taskId":"t","status":"working"}}');
    maker.take();
    const sent = server.received.length;
    for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel']) {
      await expect(other.request('1', method, '{"taskId":"mux1:s:t"}')).resolves.toEqual([
        expect.stringContaining('"code":-32602,"message":"Unknown task'),
      ]);
    }
    expect(server.received.length).toBe(sent);
    other.take();
    await other.request('2', 'tasks/list', '{}');
    await answerTo(server, '{"tasks":[{"taskId":"t"},{"taskId":"older"}]}');
    expect(other.take()).toEqual(['{"jsonrpc":"2.0","id":2,"result":{"tasks":[{"taskId":"mux1:s:older"}]}}']);
    await maker.request('3', 'tasks/get', '{"taskId":"mux1:s:t"}');
    expect(server.received.at(-1)).toContain('"taskId":"t"');
  });
});

describe('tasks of clients without credentials', () => {
  it('are in no list of another one after their client has gone', async () => {
    const rig = new SessionsRig();
    const server = rig.server('s', { tools: ['work'], capabilities: LISTS });
    const [maker, other] = [
      await rig.client({}, undefined, ANYBODY),
      await rig.client({}, undefined, ANYBODY),
    ];
    await maker.request('1', 'tools/call', '{"name":"s__work","task":{}}');
    await answerTo(server, '{"task":{"taskId":"t","status":"working"}}');
    maker.session.close();
    await other.request('2', 'tasks/list', '{}');
    await answerTo(server, '{"tasks":[{"taskId":"t","status":"working"}]}');
    expect(other.take()).toEqual(['{"jsonrpc":"2.0","id":2,"result":{"tasks":[]}}']);
  });
});

describe('the progress of a task', () => {
  it('S8: goes on with the token of the call that made it, after its answer', async () => {
    const rig = new SessionsRig();
    const server = rig.server('s', { tools: ['work'], capabilities: LISTS });
    const [maker, other] = [await rig.client(), await rig.client()];
    await maker.request(
      '1',
      'tools/call',
      '{"name":"s__work","task":{},"_meta":{"progressToken":"p\\u0061"}}',
    );
    await answerTo(server, '{"task":{"taskId":"t","status":"working"}}');
    maker.take();
    other.take();
    await server.exchange(
      '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":0.50}}',
    );
    expect(maker.take()).toEqual([
      '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p\\u0061","progress":0.50}}',
    ]);
    expect(other.take()).toEqual([]);
  });
});
