import { describe, expect, it } from 'vitest';

import { SessionsRig } from '../../testing/sessions-rig.js';

const SAMPLE = '{"messages":[],"maxTokens":1}';
const TASK = '{"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"t"}},"message":"?"}';

describe('a request of a server', () => {
  it('S5: goes to the client that has a call in flight there, of several that are connected', async () => {
    const rig = new SessionsRig();
    const server = rig.server('s', { tools: ['get'] });
    const [a, b] = [await rig.client({ sampling: {} }), await rig.client({ sampling: {} })];
    await a.request('1', 'tools/call', '{"name":"s__get"}');
    await server.ask('1', 'sampling/createMessage', SAMPLE);
    expect([a.take().length, b.take().length]).toEqual([1, 0]);
  });

  it.each([
    ['two clients have calls in flight there', 2],
    ['none of several clients has a call in flight there', 0],
  ])('S5: is refused and reaches nobody when %s', async (_, calls) => {
    const rig = new SessionsRig();
    const server = rig.server('s', { tools: ['get'] });
    const clients = [await rig.client({ sampling: {} }), await rig.client({ sampling: {} })];
    for (const client of clients.slice(0, calls))
      await client.request('1', 'tools/call', '{"name":"s__get"}');
    const answers = await server.ask('1', 'sampling/createMessage', SAMPLE);
    expect(answers).toEqual([expect.stringMatching(/"id":1,"error":\{"code":-32603,"message":"mcpmux: /)]);
    expect(clients.flatMap((client) => client.take())).toEqual([]);
  });

  it('S5: is refused while no client is connected', async () => {
    const rig = new SessionsRig();
    rig.stranger();
    await expect(rig.server('s').ask('1', 'sampling/createMessage', SAMPLE)).resolves.toEqual([
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"mcpmux: no client is connected"}}',
    ]);
  });

  it.each([
    ['sampling/createMessage', SAMPLE, -32601],
    ['elicitation/create', '{"message":"?"}', -32601],
    ['roots/list', '{}', -32601],
    ['tasks/get', '{"taskId":"x"}', -32601],
  ])('A10: is refused when its client has not declared the capability: %s', async (method, params, code) => {
    const rig = new SessionsRig();
    const client = await rig.client();
    const [answer, ...others] = await rig.server('s').ask('1', method, params);
    expect(answer).toContain(`"error":{"code":${code}`);
    expect([...others, ...client.take()]).toEqual([]);
  });

  it.each([
    ['sampling/createMessage', SAMPLE, 'sampling'],
    ['elicitation/create', '{"message":"?"}', 'elicitation'],
    ['roots/list', '{}', 'roots'],
  ] as const)('G6: is refused when the server may not ask for it: %s', async (method, params, kind) => {
    const rig = new SessionsRig();
    const client = await rig.client({ sampling: {}, elicitation: {}, roots: {} });
    const denied = rig.server('s', { config: { command: 'x', denyRequests: [kind] } });
    const answers = await denied.ask('1', method, params);
    expect(answers).toEqual([
      expect.stringContaining(
        `"code":-32601,"message":"mcpmux: this server may not ask the client for ${kind} `,
      ),
    ]);
    expect(client.take()).toEqual([]);
    await rig.server('other').ask('1', method, params);
    expect(client.take()).toHaveLength(1);
  });

  it('A10: of an unknown method goes to the client, which says whether it knows it', async () => {
    const rig = new SessionsRig();
    const client = await rig.client();
    await rig.server('s').ask('1', 'vendor/new');
    expect(client.take()).toHaveLength(1);
  });

  it('S8: that belongs to a task goes to the client that made the task', async () => {
    const rig = new SessionsRig();
    const server = rig.server('s', { tools: ['work'] });
    const [a, b] = [await rig.client({ elicitation: {} }), await rig.client({ elicitation: {} })];
    await a.request('1', 'tools/call', '{"name":"s__work","task":{}}');
    server.peer.answer(1, '{"task":{"taskId":"t"}}');
    await b.request('1', 'tools/call', '{"name":"s__work"}');
    a.take();
    await server.ask('1', 'elicitation/create', TASK);
    expect(a.take()).toEqual([expect.stringContaining('"taskId":"mux1:s:t"')]);
    expect(b.take()).toEqual([]);
  });

  it('S8: that belongs to a task of a client that has gone is refused, and no other client is asked', async () => {
    const rig = new SessionsRig();
    const server = rig.server('s', { tools: ['work'] });
    const [a, b] = [await rig.client({ elicitation: {} }), await rig.client({ elicitation: {} })];
    await a.request('1', 'tools/call', '{"name":"s__work","task":{}}');
    server.peer.answer(1, '{"task":{"taskId":"t"}}');
    await a.exchange();
    await a.leave();
    await expect(server.ask('1', 'elicitation/create', TASK)).resolves.toEqual([
      expect.stringContaining('the client that made the task has gone'),
    ]);
    expect(b.take()).toEqual([]);
  });
});

describe('a log message of a server', () => {
  it.each([
    ['{"level":"info","data":1.0}', '{"level":"info","logger":"s","data":1.0}'],
    ['{"level":"info","logger":"db","data":1}', '{"level":"info","logger":"s/db","data":1}'],
    ['{"level":"info","logger":5}', '{"level":"info","logger":5}'],
    ['{"data":1}', '{"data":1}'],
  ])('S4: says whose it is, and is otherwise as it was: %s', async (sent, reported) => {
    const rig = new SessionsRig();
    const client = await rig.client();
    await rig.server('s').report('notifications/message', sent);
    expect(client.take()).toEqual([
      `{"jsonrpc":"2.0","method":"notifications/message","params":${reported}}`,
    ]);
  });

  it('S4: reaches the clients that want its level, and those that never asked', async () => {
    const rig = new SessionsRig();
    const [quiet, all] = [await rig.client(), await rig.client()];
    await quiet.request('1', 'logging/setLevel', '{"level":"error"}');
    quiet.take();
    const server = rig.server('s');
    for (const level of ['warning', 'error', 'alert', 'odd'])
      await server.report('notifications/message', `{"level":"${level}","data":0}`);
    const levels = (lines: readonly string[]): readonly unknown[] =>
      lines.map((line) => /"level":"(\w+)"/.exec(line)?.[1]);
    expect(levels(quiet.take())).toEqual(['error', 'alert', 'odd']);
    expect(levels(all.take())).toEqual(['warning', 'error', 'alert', 'odd']);
  });
});

describe('the end of an elicitation', () => {
  const URL_MODE = '{"mode":"url","message":"?","url":"https://x.test/","elicitationId":"e"}';

  it('S7: is told to the client that was asked, and to no other', async () => {
    const rig = new SessionsRig();
    const server = rig.server('s', { tools: ['get'] });
    const capabilities = { elicitation: { url: {} } };
    const [a, b] = [await rig.client(capabilities), await rig.client(capabilities)];
    await a.request('1', 'tools/call', '{"name":"s__get"}');
    await server.ask('1', 'elicitation/create', URL_MODE);
    a.take();
    const line =
      '{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"e"}}';
    await server.exchange(line);
    expect([a.take(), b.take()]).toEqual([[line], []]);
    await a.leave();
    await server.exchange(line);
    expect(b.take()).toEqual([]);
  });

  it('S7: of which nothing is known is told to the only client, and to none of several', async () => {
    const rig = new SessionsRig();
    const server = rig.server('s');
    const a = await rig.client();
    await server.report('notifications/elicitation/complete', '{"elicitationId":"x"}');
    expect(a.take()).toHaveLength(1);
    const b = await rig.client();
    await server.report('notifications/elicitation/complete', '{"elicitationId":"x"}');
    expect([...a.take(), ...b.take()]).toEqual([]);
  });
});

describe('the state of a task', () => {
  it('S8: is told to the client that made it, under the id it knows', async () => {
    const rig = new SessionsRig();
    const server = rig.server('s', { tools: ['work'] });
    const [a, b] = [await rig.client(), await rig.client()];
    await a.request('1', 'tools/call', '{"name":"s__work","task":{}}');
    await server.report('notifications/tasks/status', '{"taskId":"t","status":"working"}');
    server.peer.answer(1, '{"task":{"taskId":"t"}}');
    await server.report('notifications/tasks/status', '{"taskId":"t","status":"completed"}');
    const status = (text: string): string =>
      `{"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":"mux1:s:t","status":"${text}"}}`;
    expect(a.take()).toEqual([
      status('working'),
      '{"jsonrpc":"2.0","id":1,"result":{"task":{"taskId":"mux1:s:t"}}}',
      status('completed'),
    ]);
    expect(b.take()).toEqual([]);
    await a.leave();
    await server.report('notifications/tasks/status', '{"taskId":"t","status":"failed"}');
    expect(b.take()).toEqual([]);
  });

  it('S8: without an id that can be read reaches nobody', async () => {
    const rig = new SessionsRig();
    const client = await rig.client();
    await rig.server('s').report('notifications/tasks/status', '{"taskId":5}');
    expect(client.take()).toEqual([]);
  });
});

describe('a notification that mcpmux does not know', () => {
  it('S12: reaches every client that has introduced itself, as it is', async () => {
    const rig = new SessionsRig();
    const [a, b, stranger] = [await rig.client(), await rig.client(), rig.stranger()];
    const line = '{"method":"notifications/vendor","params":{"n":1.0},"jsonrpc":"2.0"}';
    await rig.server('s').exchange(line);
    expect([a.take(), b.take(), stranger.take()]).toEqual([[line], [line], []]);
  });
});
