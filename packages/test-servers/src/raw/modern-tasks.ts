import type { Params, RequestId } from './message.js';
import { envelopeMember, answerComplete } from './modern-server.js';
import type { ModernListenRequests } from './modern-listens.js';
import { answer, fail, lineOf, textResult, write } from './output.js';
import type { Request, Tool, ToolCall } from './raw-server.js';

const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';
const CREATED_AT = '2026-07-28T00:00:00Z';

/** The error sent to clients that have not declared the extension. */
const TASKS_REQUIRED_ERROR = {
  code: -32021,
  message: 'a task is needed',
  data: { requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } },
};

/** The question of a task that is waiting for input. */
export const TASK_QUESTION = {
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: 'Delete it?',
    requestedSchema: { type: 'object', properties: { confirm: { type: 'boolean' } } },
  },
};

type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

interface Task {
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  readonly ttlMs: number | null;
  readonly pollIntervalMs: number;
}

/** Tasks named `task-1`, `task-2` and so on, as in the tasks extension of the modern era. */
export class ModernTasks {
  private readonly tasks = new Map<string, Task>();
  /** The result that completes a task after its first `tasks/get`, by task id. */
  private readonly resultsAfterPoll = new Map<string, object>();

  constructor(private readonly listenRequests: ModernListenRequests) {}

  /**
   * Returns a tool that runs as a task if its client supports tasks. If `isRequired` is true, the tool cannot run
   * otherwise.
   */
  createTool(name: string, isRequired: boolean, begin: (taskId: string, call: ToolCall) => void): Tool {
    return {
      name,
      call: (call) => {
        const { id, params } = call;
        if (isExtensionDeclared(params)) begin(this.create(id), call);
        else if (isRequired) write(lineOf({ id, error: TASKS_REQUIRED_ERROR }));
        else answerComplete(id, textResult(`${name} without a task`));
      },
    };
  }

  /** Returns a handler for requests about an existing task. */
  createHandler(handle: (request: Request, taskId: string) => void): (request: Request) => void {
    return (request) => {
      const { id, params } = request;
      const { taskId = '' } = params;
      if (!isExtensionDeclared(params)) write(lineOf({ id, error: TASKS_REQUIRED_ERROR }));
      else if (this.tasks.has(taskId)) handle(request, taskId);
      else fail(id, -32602, `unknown task: ${taskId}`);
    };
  }

  /** Creates a task and sends it as the call's result. */
  create(id: RequestId): string {
    const taskId = `task-${this.tasks.size + 1}`;
    const task: Task = {
      taskId,
      status: 'working',
      createdAt: CREATED_AT,
      lastUpdatedAt: CREATED_AT,
      ttlMs: 60_000,
      pollIntervalMs: 1,
    };
    this.tasks.set(taskId, task);
    answer(id, { ...task, resultType: 'task' });
    return taskId;
  }

  /** Makes the task report `working` on the first `tasks/get`, and this result on the second. */
  completeOnPoll(taskId: string, result: object): void {
    this.resultsAfterPoll.set(taskId, { ...result, resultType: 'complete' });
  }

  answerGet(id: RequestId, taskId: string): void {
    answerComplete(id, this.tasks.get(taskId) ?? {});
    const result = this.resultsAfterPoll.get(taskId);
    if (result !== undefined && this.resultsAfterPoll.delete(taskId))
      this.change(taskId, 'completed', { result });
  }

  /** Completes a task. Its result is a text. */
  complete(taskId: string, text: string): void {
    this.change(taskId, 'completed', { result: { ...textResult(text), resultType: 'complete' } });
  }

  /** Changes a task and notifies its subscribers. */
  change(taskId: string, status: TaskStatus, more: object = {}): void {
    const task = this.tasks.get(taskId);
    if (task === undefined) return;
    const { inputRequests: _, ...others }: Task & { readonly inputRequests?: object } = task;
    const changedTask = { ...others, status, ...more };
    this.tasks.set(taskId, changedTask);
    this.listenRequests.notifyTaskChanged(taskId, changedTask);
  }
}

function isExtensionDeclared(params: Params): boolean {
  return JSON.stringify(envelopeMember(params, 'clientCapabilities')).includes(`"${TASKS_EXTENSION}"`);
}
