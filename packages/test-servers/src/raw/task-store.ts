import type { RequestId } from './message.js';
import { answer, fail, notify } from './output.js';
import type { Tool } from './raw-server.js';

const CREATED_AT = '2025-11-25T00:00:00Z';

/** A task, without the members that all tasks share. */
export interface Task {
  readonly taskId: string;
  readonly status: 'working' | 'input_required' | 'completed' | 'cancelled';
  readonly ttl: number | null;
}

/** Tasks named `task-1`, `task-2` and so on, and the requests that are waiting for their results. */
export class TaskStore {
  private readonly tasks = new Map<string, Task>();
  private readonly waitingRequests = new Map<string, RequestId[]>();

  /** Creates a task. Like SDK servers, notifies the client of the task before sending the call's result. */
  create(ttl: number | null): object {
    const task: Task = { taskId: `task-${this.tasks.size + 1}`, status: 'working', ttl };
    this.tasks.set(task.taskId, task);
    notify('notifications/tasks/status', describeTask(task));
    return describeTask(task);
  }

  /** Returns a tool that runs only as a task. */
  createTool(name: string, begin: (taskId: string) => void): Tool {
    return {
      name,
      extraMembers: { execution: { taskSupport: 'required' } },
      call: ({ id, params }) => {
        if (params.task === undefined) return fail(id, -32601, `${name} runs as a task alone`);
        answer(id, { task: this.create(params.task.ttl ?? null) });
        begin(`task-${this.tasks.size}`);
      },
    };
  }

  list(): readonly object[] {
    return [...this.tasks.values()].map(describeTask);
  }

  /** Responds to `tasks/get`. */
  answerGet(id: RequestId, taskId = ''): void {
    const task = this.tasks.get(taskId);
    if (task === undefined) fail(id, -32602, `unknown task: ${taskId}`);
    else answer(id, describeTask(task));
  }

  /** Responds to `tasks/result` once the task has ended. */
  answerResult(id: RequestId, taskId = ''): void {
    const task = this.tasks.get(taskId);
    if (task === undefined) return fail(id, -32602, `unknown task: ${taskId}`);
    this.waitingRequests.set(taskId, [...(this.waitingRequests.get(taskId) ?? []), id]);
    if (isOver(task)) this.answerWaiting(task);
  }

  /** Changes a task and notifies the client. Returns false if the task does not exist. */
  change(taskId: string, status: Task['status']): boolean {
    const task = this.tasks.get(taskId);
    if (task === undefined) return false;
    const changedTask = { ...task, status };
    this.tasks.set(taskId, changedTask);
    notify('notifications/tasks/status', describeTask(changedTask));
    if (isOver(changedTask)) this.answerWaiting(changedTask);
    return true;
  }

  /** True if a task has ended, or does not exist. */
  isOver(taskId: string): boolean {
    const task = this.tasks.get(taskId);
    return task === undefined || isOver(task);
  }

  private answerWaiting(task: Task): void {
    const content = [{ type: 'text', text: `${task.taskId} ${task.status}` }];
    for (const id of this.waitingRequests.get(task.taskId) ?? []) {
      answer(id, { content, _meta: relatedTaskMeta(task.taskId) });
    }
    this.waitingRequests.delete(task.taskId);
  }
}

/** Returns the `_meta` of a message that belongs to a task. */
export function relatedTaskMeta(taskId: string): object {
  return { 'io.modelcontextprotocol/related-task': { taskId } };
}

function isOver({ status }: Task): boolean {
  return status === 'completed' || status === 'cancelled';
}

function describeTask(task: Task): object {
  return { ...task, createdAt: CREATED_AT, lastUpdatedAt: CREATED_AT, pollInterval: 10 };
}
