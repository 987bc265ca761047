import type { JsonObject } from '../outcome.js';
import type { Step } from '../script.js';
import type { SurfaceClient } from '../surface-client.js';
import type { RpcMessage } from '../../testing/json-rpc.js';

const RESEARCH = 'simulate-research-query';
const TASK = { ttl: 60_000 };
const CREATED = { createdAt: '2025-11-25T00:00:00Z', lastUpdatedAt: '2025-11-25T00:00:00Z' };

function taskIdIn({ result }: RpcMessage): string {
  return (result as { readonly task?: { readonly taskId?: string } } | undefined)?.task?.taskId ?? 'none';
}

/** Starts a research as a task; the server asks for a clarification once its result is waited for. */
async function research(client: SurfaceClient): Promise<void> {
  client.respond('elicitation/create', () => ({
    action: 'accept',
    content: { interpretation: 'historical' },
  }));
  const args = { topic: 'bridges', ambiguous: true };
  const taskId = taskIdIn(await client.call(RESEARCH, args, { task: TASK }));
  await client.raw('tasks/get', { taskId });
  await client.raw('tasks/list');
  await client.raw('tasks/result', { taskId });
  await client.raw('tasks/get', { taskId });
}

async function cancel(client: SurfaceClient): Promise<void> {
  const taskId = taskIdIn(await client.call(RESEARCH, { topic: 'roads' }, { task: TASK }));
  await client.raw('tasks/cancel', { taskId });
  await client.raw('tasks/get', { taskId });
}

/** Answers a request with a task of the client that is over at once. */
function runAsTask(client: SurfaceClient, method: string, result: JsonObject): void {
  const task = { taskId: 'of-the-client', ttl: 1000, pollInterval: 10, ...CREATED };
  client.respond(method, () => ({ task: { ...task, status: 'working' } }));
  client.respond('tasks/get', () => ({ ...task, status: 'completed', statusMessage: 'done' }));
  client.respond('tasks/result', () => result);
}

/** Tasks of the server and tasks of the client. */
export const TASK_STEPS: readonly Step[] = [
  {
    row: 'S8',
    method: 'tasks/result',
    does: 'a call runs as a task: created, got, listed, asking for input, its status told, its result fetched',
    rules: ['task ids', 'merged lists', 'elicitation label', 'chance'],
    deadline: 12_000,
    run: research,
  },
  {
    row: 'S8',
    method: 'tasks/cancel',
    does: 'a task is cancelled',
    rules: ['task ids', 'chance'],
    run: cancel,
  },
  {
    row: 'S8',
    method: 'tasks/get',
    does: 'an unknown task is refused',
    rules: ['refusal'],
    run: (client) => client.raw('tasks/get', { taskId: 'no-such-task' }),
  },
  {
    row: 'S8',
    method: 'sampling/createMessage',
    does: 'a sampling runs as a task of the client; the server asks for its state and result',
    rules: ['sampling label'],
    deadline: 6000,
    run(client) {
      const content = { type: 'text', text: 'later' };
      runAsTask(client, 'sampling/createMessage', { role: 'assistant', content, model: 'm' });
      return client.call('trigger-sampling-request-async', { prompt: 'well?' });
    },
  },
  {
    row: 'S8',
    method: 'elicitation/create',
    does: 'an elicitation runs as a task of the client',
    rules: ['elicitation label'],
    deadline: 6000,
    run(client) {
      runAsTask(client, 'elicitation/create', { action: 'accept', content: { name: 'Ada' } });
      return client.call('trigger-elicitation-request-async');
    },
  },
];
