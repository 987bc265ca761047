import type { JsonObject } from '../outcome.js';
import type { Script, Step } from '../script.js';
import type { SurfaceClient } from '../surface-client.js';
import { fixtureProgram, HANDSHAKE } from './fixture-program.js';

const RELATED = 'io.modelcontextprotocol/related-task';

/** The id of the task that was created last, as the client knows it. */
async function start(client: SurfaceClient): Promise<string> {
  const { result } = await client.call('work', {}, { task: { ttl: 1000, 'x-kept': 1 } });
  const { task } = (result ?? {}) as { readonly task?: { readonly taskId: string } };
  return task?.taskId ?? 'none';
}

/** The id as a tool of the server knows it: an argument is none of the places where mcpmux looks for ids. */
function local(taskId: string): string {
  return taskId.slice(taskId.lastIndexOf(':') + 1);
}

const STEPS: readonly Step[] = [
  HANDSHAKE,
  {
    row: 'S8',
    method: 'tasks/result',
    does: 'the result of a task names its task',
    rules: ['task ids'],
    async run(client) {
      const taskId = await start(client);
      const result = client.raw('tasks/result', { taskId });
      await client.call('finish', { taskId: local(taskId) });
      await result;
    },
  },
  {
    row: 'S8',
    method: 'elicitation/create',
    does: 'an elicitation names its task, and so does the answer that the server gets',
    rules: ['task ids', 'elicitation label'],
    async run(client) {
      client.respond('elicitation/create', ({ _meta: meta }) => {
        const related = (meta as JsonObject | undefined)?.[RELATED] ?? null;
        return { action: 'decline', _meta: { [RELATED]: related, 'vendor.example/k': 1 } };
      });
      const taskId = await start(client);
      await client.call('ask', { taskId: local(taskId) });
    },
  },
  {
    row: 'S8',
    method: 'tasks/list',
    does: 'all tasks are listed',
    rules: ['task ids'],
    run: (client) => client.raw('tasks/list'),
  },
  {
    row: 'S8',
    method: 'tasks/cancel',
    does: 'the state of a cancelled task is told and got',
    rules: ['task ids'],
    async run(client) {
      const taskId = await start(client);
      await client.raw('tasks/cancel', { taskId });
      await client.raw('tasks/get', { taskId });
      await client.raw('tasks/result', { taskId });
    },
  },
  {
    row: 'S8',
    method: 'tools/call',
    does: 'a tool that may run as a task runs without one',
    run: (client) => client.call('work'),
  },
];

/** Tasks of 2025-11-25 with ids that every server has. */
export const TASKS: Script = {
  server: 'tasks',
  program: fixtureProgram('tasks'),
  fence: { tool: 'finish', args: { taskId: 'none' } },
  steps: STEPS,
};
