import { describe, expect, it } from 'vitest';

import { SessionsRig } from '../../testing/sessions-rig.js';

const LISTS = { tasks: { list: {} } };
const RELATED = 'io.modelcontextprotocol/related-task';

/** A task `t` of the first client, and a second client. */
async function rigOf() {
  const rig = new SessionsRig();
  const server = rig.server('s', { tools: ['work'], capabilities: LISTS });
  rig.server('other', { tools: ['work'], capabilities: LISTS });
  const owner = await rig.client();
  const foreign = await rig.client();
  await owner.request('1', 'tools/call', '{"name":"s__work","task":{}}');
  const id = (JSON.parse(server.received.at(-1) ?? '') as { id: number }).id;
  await server.exchange(`{"jsonrpc":"2.0","id":${id},"result":{"task":{"taskId":"t","status":"working"}}}`);
  owner.take();
  return { server, owner, foreign };
}

const related = (id: string): string => `"_meta":{"${RELATED}":{"taskId":"${id}"}}`;

describe('H5: a task from before a restart of mcpmux', () => {
  const ann = { id: 'ann', roles: [], rights: [] };
  const old = '"taskId":"mux1:s:old"';

  it('is not told to the first principal with credentials that asks for it', async () => {
    const rig = new SessionsRig();
    const server = rig.server('s', { tools: ['work'], capabilities: LISTS });
    const client = await rig.client({}, undefined, ann);
    for (const [method, params] of [
      ['tasks/get', `{${old}}`],
      ['tools/call', `{"name":"s__work","_meta":{"${RELATED}":{${old}}}}`],
    ] as const)
      expect((await client.request('1', method, params)).join()).toContain('Unknown task');
    expect(server.received).toEqual([]);
  });

  it('is not listed for it', async () => {
    const rig = new SessionsRig();
    const server = rig.server('s', { capabilities: LISTS });
    const client = await rig.client({}, undefined, ann);
    await client.request('1', 'tasks/list');
    await server.exchange('{"jsonrpc":"2.0","id":1,"result":{"tasks":[{"taskId":"old"}]}}');
    expect(client.take()).toEqual(['{"jsonrpc":"2.0","id":1,"result":{"tasks":[]}}']);
  });
});

describe('a message that names a task', () => {
  it.each(['mux1:s:t', 't', 'mux1:other:t'])(
    'of another client as the task that it belongs to is refused, and no server hears of it: %s',
    async (id) => {
      const { server, foreign } = await rigOf();
      const before = server.received.length;
      const answers = await foreign.request('2', 'tools/call', `{"name":"s__work",${related(id)}}`);
      expect(answers.join()).toContain('Unknown task');
      expect(server.received).toHaveLength(before);
    },
  );

  it('of its own client reaches the server, which knows it by its own id', async () => {
    const { server, owner } = await rigOf();
    await owner.request('2', 'tools/call', `{"name":"s__work",${related('mux1:s:t')}}`);
    expect(server.received.at(-1)).toContain(related('t'));
  });

  it.each(['mux1:s:t', 't'])(
    'of another client reaches no server by a method that mcpmux does not know: %s',
    async (id) => {
      const { server, foreign } = await rigOf();
      const before = server.received.length;
      const answers = await foreign.request('2', 'tasks/unheard', `{"taskId":"${id}","name":"s__work"}`);
      expect(answers.join()).toContain('Unknown task');
      await foreign.exchange(
        `{"jsonrpc":"2.0","method":"notifications/unheard","params":{"taskId":"${id}","name":"s__work"}}`,
      );
      expect(server.received).toHaveLength(before);
    },
  );
});
