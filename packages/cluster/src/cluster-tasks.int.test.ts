import { describe, expect, it } from 'vitest';
import { statelessLines, resultOf } from '@mcpmux/core/testing/stateless-call';
import { modernLine } from '@mcpmux/core/testing/modern-lines';
import { MuxClient } from '@mcpmux/core/testing/mux-client';
import { textOf } from '@mcpmux/core/testing/mux-rig';

import { newCluster } from './testing/cluster-network.js';
import { ClusterRig, type RigNode } from './testing/cluster-rig.js';

const ANN = { id: 'ann', roles: ['dev'], rights: [] };
const BOB = { id: 'bob', roles: ['dev'], rights: [] };
const CAPABILITIES = {
  elicitation: { form: {} },
  extensions: { 'io.modelcontextprotocol/tasks': {} },
};

interface Three {
  readonly owner: RigNode;
  readonly first: RigNode;
  readonly second: RigNode;
}

async function open(fixture: Parameters<ClusterRig['server']>[0]): Promise<readonly [ClusterRig, Three]> {
  const rig = await ClusterRig.open(await newCluster());
  for (const name of ['a', 'b', 'c']) await rig.node(name);
  const owner = await rig.server(fixture);
  const [first, second] = rig.nodes.filter((node) => node !== owner);
  if (first === undefined || second === undefined) throw new Error('there are too few nodes');
  return [rig, { owner, first, second }];
}

/** Sends a request of a client without a session to a node. */
async function request(
  node: RigNode,
  method: string,
  params: object,
  principal = ANN,
): Promise<Readonly<Record<string, unknown>>> {
  return resultOf(await statelessLines(node, method, params, { principal, capabilities: CAPABILITIES }));
}

function call(node: RigNode, name: string, args: object = {}): Promise<Readonly<Record<string, unknown>>> {
  return request(node, 'tools/call', { name, arguments: args });
}

const WAYS: readonly (readonly [keyof Three, keyof Three])[] = [
  ['first', 'first'],
  ['first', 'second'],
  ['first', 'owner'],
  ['owner', 'first'],
];

describe('a task of a server on another node, for clients that listen', () => {
  it.each(['modern-tasks', 'tasks-required'] as const)(
    'is told of on every node to its principal alone: %s',
    async (server) => {
      const [opened, { owner, first, second }] = await open(server);
      await using rig = opened;
      expect(rig.nodes).toHaveLength(3);
      const task = { taskId: `mux1:${server}:task-1` };
      await call(first, `${server}__${server === 'modern-tasks' ? 'slow' : 'must'}`);
      const listen = async (node: RigNode, principal: typeof ANN) => {
        const client = new MuxClient(node.mux, { principal });
        const params = { notifications: { taskIds: [task.taskId] } };
        client.send(modernLine('1', 'subscriptions/listen', params, { capabilities: CAPABILITIES }));
        return [client, await client.line((line) => line.includes('/acknowledged'))] as const;
      };
      const own = await Promise.all([second, owner].map((node) => listen(node, ANN)));
      const others = await Promise.all([first, second, owner].map((node) => listen(node, BOB)));
      for (const [, acknowledged] of own) expect(acknowledged).toContain(task.taskId);
      for (const [, acknowledged] of others) expect(acknowledged).not.toContain(task.taskId);
      await call(second, `${server}__finish`, { taskId: 'task-1' });
      for (const [client] of own) {
        const reported = await client.line((line) => line.includes('"notifications/tasks"'));
        expect(JSON.parse(reported)).toMatchObject({ params: { ...task, status: 'completed' } });
      }
      for (const [client] of others) {
        await client.request('ping');
        expect(client.count('notifications/tasks')).toBe(0);
      }
    },
  );
});

describe.each(['modern-tasks', 'tasks-required'] as const)(
  'a task of the server %s on another node, for a client without a session',
  (server) => {
    const begun = { resultType: 'task', taskId: `mux1:${server}:task-1`, status: 'working' };
    const task = { taskId: begun.taskId };
    const simple = server === 'modern-tasks' ? 'slow' : 'must';

    it.each(WAYS)('that began on the %s is got, and brings its result, on the %s', async (began, goesOn) => {
      const [opened, nodes] = await open(server);
      await using rig = opened;
      expect(rig.nodes).toHaveLength(3);
      await expect(call(nodes[began], `${server}__${simple}`)).resolves.toMatchObject(begun);
      const node = nodes[goesOn];
      await expect(request(node, 'tasks/get', task)).resolves.toMatchObject({ ...task, status: 'working' });
      await call(node, `${server}__finish`, { taskId: 'task-1' });
      await expect(request(node, 'tasks/get', task)).resolves.toMatchObject({
        ...task,
        status: 'completed',
        result: { content: [{ type: 'text' }] },
      });
    });

    it.each(WAYS)(
      'that began on the %s is asked, answered and cancelled on the %s',
      async (began, goesOn) => {
        const [opened, nodes] = await open(server);
        await using rig = opened;
        expect(rig.nodes).toHaveLength(3);
        await call(nodes[began], `${server}__confirm`);
        const node = nodes[goesOn];
        const asking = await request(node, 'tasks/get', task);
        expect(asking).toMatchObject({ ...task, status: 'input_required' });
        const keys = Object.keys(asking['inputRequests'] ?? {});
        expect(JSON.stringify(asking['inputRequests'])).toContain(`[${server}] Delete it?`);
        const inputResponses = Object.fromEntries(
          keys.map((key) => [key, { action: 'accept', content: { confirm: true } }]),
        );
        await request(node, 'tasks/update', { ...task, inputResponses });
        await expect
          .poll(() => request(node, 'tasks/get', task), { timeout: 10_000 })
          .toMatchObject({ status: 'completed' });
        await call(nodes[began], `${server}__${simple}`);
        const other = { taskId: `mux1:${server}:task-2` };
        await request(node, 'tasks/cancel', other);
        await expect(request(nodes[began], 'tasks/get', other)).resolves.toMatchObject({
          status: 'cancelled',
        });
      },
    );

    it.each<keyof Three>(['first', 'owner'])(
      'that began on the %s is unknown to another principal on every node',
      async (began) => {
        const [opened, nodes] = await open(server);
        await using rig = opened;
        await call(nodes[began], `${server}__${simple}`);
        for (const node of rig.nodes)
          for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel'])
            await expect(request(node, method, task, BOB)).rejects.toThrow('Unknown task');
        await expect(request(nodes.second, 'tasks/get', task)).resolves.toMatchObject({ status: 'working' });
      },
    );
  },
);

describe('a task of a server on another node, for clients that listen', () => {
  it.each(['modern-tasks', 'tasks-required'] as const)(
    'is told of on every node to its principal alone: %s',
    async (server) => {
      const [opened, { owner, first, second }] = await open(server);
      await using rig = opened;
      expect(rig.nodes).toHaveLength(3);
      const task = { taskId: `mux1:${server}:task-1` };
      await call(first, `${server}__${server === 'modern-tasks' ? 'slow' : 'must'}`);
      const listen = async (node: RigNode, principal: typeof ANN) => {
        const client = new MuxClient(node.mux, { principal });
        const params = { notifications: { taskIds: [task.taskId] } };
        client.send(modernLine('1', 'subscriptions/listen', params, { capabilities: CAPABILITIES }));
        return [client, await client.line((line) => line.includes('/acknowledged'))] as const;
      };
      const own = await Promise.all([second, owner].map((node) => listen(node, ANN)));
      const others = await Promise.all([first, second, owner].map((node) => listen(node, BOB)));
      for (const [, acknowledged] of own) expect(acknowledged).toContain(task.taskId);
      for (const [, acknowledged] of others) expect(acknowledged).not.toContain(task.taskId);
      await call(second, `${server}__finish`, { taskId: 'task-1' });
      for (const [client] of own) {
        const reported = await client.line((line) => line.includes('"notifications/tasks"'));
        expect(JSON.parse(reported)).toMatchObject({ params: { ...task, status: 'completed' } });
      }
      for (const [client] of others) {
        await client.request('ping');
        expect(client.count('notifications/tasks')).toBe(0);
      }
    },
  );
});

describe.each(['modern-tasks', 'tasks-required'] as const)(
  'a task of the server %s on another node, for a client with a session',
  (server) => {
    const tool = server === 'modern-tasks' ? 'slow' : 'must';
    const task = { taskId: `mux1:${server}:task-1` };
    const begin = (client: MuxClient, name = tool) =>
      client.request('tools/call', { name: `${server}__${name}`, task: { ttl: 1000 }, arguments: {} });

    it('is got, ended and cancelled, and told of to its client alone', async () => {
      const [opened, { first, second, owner }] = await open(server);
      await using rig = opened;
      expect(rig.nodes).toHaveLength(3);
      const elicitation = { elicitation: { form: {} } };
      const client = await MuxClient.initialized(first.mux, elicitation, { principal: ANN });
      const others = await Promise.all(
        [first, second, owner].map(({ mux }) => MuxClient.initialized(mux, elicitation, { principal: BOB })),
      );
      await expect(begin(client)).resolves.toMatchObject({ result: { task } });
      await expect(client.request('tasks/get', task)).resolves.toMatchObject({
        result: { status: 'working' },
      });
      for (const other of others) {
        await expect(other.request('tasks/get', task)).resolves.toMatchObject({ error: { code: -32_602 } });
        await expect(other.request('tasks/cancel', task)).resolves.toMatchObject({
          error: { code: -32_602 },
        });
        await expect(other.request('tasks/list')).resolves.toMatchObject({ result: { tasks: [] } });
      }
      await expect(client.request('tasks/list')).resolves.toMatchObject({ result: { tasks: [task] } });
      const result = client.request('tasks/result', task);
      await client.call(`${server}__finish`, { taskId: 'task-1' });
      expect(textOf((await result).result)).toMatch(/finished|completed/);
      await client.line((line) => line.includes('notifications/tasks/status') && line.includes('completed'));
      await begin(client);
      const second2 = { taskId: `mux1:${server}:task-2` };
      await expect(client.request('tasks/cancel', second2)).resolves.toMatchObject({
        result: { status: 'cancelled' },
      });
      for (const other of others) {
        await other.request('ping');
        expect(other.count('notifications/tasks/status')).toBe(0);
      }
    });

    it('asks its client alone', async () => {
      const [opened, { first, second }] = await open(server);
      await using rig = opened;
      expect(rig.nodes).toHaveLength(3);
      const elicitation = { elicitation: { form: {} } };
      const client = await MuxClient.initialized(first.mux, elicitation, { principal: ANN });
      const others = await Promise.all(
        [first, second].map(({ mux }) => MuxClient.initialized(mux, elicitation, { principal: BOB })),
      );
      await begin(client, 'confirm');
      const waiting = client.request('tasks/result', task);
      const { id, params } = await client.asked('elicitation/create');
      expect(params).toMatchObject({ message: expect.stringContaining(`[${server}] `) });
      client.answer(id, { action: 'accept', content: { confirm: true } });
      await expect(waiting).resolves.toMatchObject({ result: { content: [{ type: 'text' }] } });
      for (const other of others) {
        await other.request('ping');
        expect(other.count('elicitation/create')).toBe(0);
      }
    });
  },
);
