import { expect, it } from 'vitest';

import { modernLine } from '../../testing/modern-lines.js';
import { SessionsRig } from '../../testing/sessions-rig.js';

const CAPABILITIES = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
const TIME = '2026-01-01T00:00:00Z';

/** A modern client that listens to a task of a legacy server. */
async function watching() {
  const rig = new SessionsRig();
  const server = rig.server('x', { tools: ['t'] });
  const client = rig.stranger();
  const params = { notifications: { taskIds: ['mux1:x:t1'] } };
  await client.exchange(modernLine('7', 'subscriptions/listen', params, { capabilities: CAPABILITIES }));
  client.take();
  const answer = async (result: object): Promise<void> => {
    const { id } = JSON.parse(server.received.at(-1) ?? '{}') as { readonly id: number };
    await server.exchange(JSON.stringify({ jsonrpc: '2.0', id, result }));
  };
  const task = (status: string, more: object = {}): Promise<void> =>
    answer({ taskId: 't1', status, createdAt: TIME, lastUpdatedAt: TIME, ttl: null, ...more });
  return { rig, server, client, answer, task };
}

it('a task of a legacy server that does not tell is asked about, and told of when it has changed', async () => {
  const { rig, server, client, answer, task } = await watching();
  rig.clock.advance(5000);
  await client.exchange();
  expect(server.received.at(-1)).toContain('"method":"tasks/get","params":{"taskId":"t1"}');
  await task('working', { pollInterval: 2000 });
  expect(client.take()).toEqual([]);
  rig.clock.advance(2000);
  await client.exchange();
  await task('completed');
  expect(server.received.at(-1)).toContain('"method":"tasks/result"');
  await answer({ content: [] });
  expect(client.take().map((line) => JSON.parse(line) as unknown)).toEqual([
    {
      jsonrpc: '2.0',
      method: 'notifications/tasks',
      params: expect.objectContaining({
        taskId: 'mux1:x:t1',
        status: 'completed',
        result: { resultType: 'complete', content: [] },
        _meta: { 'io.modelcontextprotocol/subscriptionId': 7 },
      }) as unknown,
    },
  ]);
  expect(rig.clock.timerCount).toBe(0);
});

it('a task that its server has told of is not asked about, nor one that nobody listens to', async () => {
  const { rig, server, client } = await watching();
  await server.report(
    'notifications/tasks/status',
    JSON.stringify({ taskId: 't1', status: 'cancelled', createdAt: TIME, lastUpdatedAt: TIME, ttl: null }),
  );
  expect(client.take()).toHaveLength(1);
  expect(rig.clock.timerCount).toBe(0);
  const other = await watching();
  await other.client.leave();
  expect(other.rig.clock.timerCount).toBe(0);
});
