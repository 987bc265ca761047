import type { Params, RequestId } from './message.js';
import { envelopeOf, answerComplete } from './modern-server.js';
import type { ModernListens } from './modern-listens.js';
import { answer, fail, lineOf, textResult, write } from './output.js';
import type { Request, Tool, ToolCall } from './raw-server.js';

const EXTENSION = 'io.modelcontextprotocol/tasks';
const CREATED = '2026-07-28T00:00:00Z';

/** The error for clients that have not declared the extension. */
const REQUIRED = {
  code: -32021,
  message: 'a task is needed',
  data: { requiredCapabilities: { extensions: { [EXTENSION]: {} } } },
};

/** The question of a task that waits for an answer. */
export const QUESTION = {
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: 'Delete it?',
    requestedSchema: { type: 'object', properties: { confirm: { type: 'boolean' } } },
  },
};

type Status = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

interface Task {
  readonly taskId: string;
  readonly status: Status;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  readonly ttlMs: number | null;
  readonly pollIntervalMs: number;
}

/** Tasks `task-1`, `task-2` and so on, as the tasks extension of the modern era defines them. */
export class ModernTasks {
  private readonly tasks = new Map<string, Task>();
  /** The result that completes a task after its first `tasks/get`, by task id. */
  private readonly later = new Map<string, object>();

  constructor(private readonly listens: ModernListens) {}

  /** Returns a tool that runs as a task if its client supports tasks. If `isRequired`, the tool runs only as a task. */
  tool(name: string, isRequired: boolean, begin: (taskId: string, call: ToolCall) => void): Tool {
    return {
      name,
      call: (call) => {
        const { id, params } = call;
        if (isDeclaredBy(params)) begin(this.create(id), call);
        else if (isRequired) write(lineOf({ id, error: REQUIRED }));
        else answerComplete(id, textResult(`${name} without a task`));
      },
    };
  }

  /** Returns a handler for requests about an existing task. */
  request(handle: (request: Request, taskId: string) => void): (request: Request) => void {
    return (request) => {
      const { id, params } = request;
      const { taskId = '' } = params;
      if (!isDeclaredBy(params)) write(lineOf({ id, error: REQUIRED }));
      else if (this.tasks.has(taskId)) handle(request, taskId);
      else fail(id, -32602, `unknown task: ${taskId}`);
    };
  }

  /** Creates a task, and answers the call with it. */
  create(id: RequestId): string {
    const taskId = `task-${this.tasks.size + 1}`;
    const task: Task = {
      taskId,
      status: 'working',
      createdAt: CREATED,
      lastUpdatedAt: CREATED,
      ttlMs: 60_000,
      pollIntervalMs: 1,
    };
    this.tasks.set(taskId, task);
    answer(id, { ...task, resultType: 'task' });
    return taskId;
  }

  /** Makes the task report `working` at the first `tasks/get`, and this result at the second. */
  completeOnPoll(taskId: string, result: object): void {
    this.later.set(taskId, { ...result, resultType: 'complete' });
  }

  get(id: RequestId, taskId: string): void {
    answerComplete(id, this.tasks.get(taskId) ?? {});
    const result = this.later.get(taskId);
    if (result !== undefined && this.later.delete(taskId)) this.change(taskId, 'completed', { result });
  }

  /** Ends a task with a text. */
  complete(taskId: string, text: string): void {
    this.change(taskId, 'completed', { result: { ...textResult(text), resultType: 'complete' } });
  }

  /** Changes a task, and notifies its subscribers. */
  change(taskId: string, status: Status, more: object = {}): void {
    const task = this.tasks.get(taskId);
    if (task === undefined) return;
    const { inputRequests: _, ...others }: Task & { readonly inputRequests?: object } = task;
    const changed = { ...others, status, ...more };
    this.tasks.set(taskId, changed);
    this.listens.taskChanged(taskId, changed);
  }
}

function isDeclaredBy(params: Params): boolean {
  return JSON.stringify(envelopeOf(params, 'clientCapabilities')).includes(`"${EXTENSION}"`);
}
