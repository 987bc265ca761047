import type { Params, RequestId } from './message.js';
import { envelopeOf, answerComplete } from './modern-server.js';
import type { ModernListens } from './modern-listens.js';
import { answer } from './output.js';

const EXTENSION = 'io.modelcontextprotocol/tasks';
const CREATED = '2026-07-28T00:00:00Z';

type Status = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

interface Task {
  readonly taskId: string;
  readonly status: Status;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  readonly ttlMs: number | null;
  readonly pollIntervalMs: number;
}

/** Tasks `task-1`, `task-2` and so on, as the extension of the modern era has them. */
export class ModernTasks {
  /** The error for clients that have not declared the extension. */
  readonly required = {
    code: -32021,
    message: 'a task is needed',
    data: { requiredCapabilities: { extensions: { [EXTENSION]: {} } } },
  };
  private readonly tasks = new Map<string, Task>();
  /** What a task comes to after its first `tasks/get`. */
  private readonly later = new Map<string, object>();

  constructor(private readonly listens: ModernListens) {}

  isDeclaredBy(params: Params): boolean {
    return JSON.stringify(envelopeOf(params, 'clientCapabilities')).includes(`"${EXTENSION}"`);
  }

  has(taskId: string): boolean {
    return this.tasks.has(taskId);
  }

  /** Makes a task, and answers the call with it. */
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

  /** The task works at the first `tasks/get`, and has ended with this result at the second. */
  completeOnPoll(taskId: string, result: object): void {
    this.later.set(taskId, { ...result, resultType: 'complete' });
  }

  get(id: RequestId, taskId: string): void {
    answerComplete(id, this.tasks.get(taskId) ?? {});
    const result = this.later.get(taskId);
    if (result !== undefined && this.later.delete(taskId)) this.change(taskId, 'completed', { result });
  }

  /** Changes a task, and tells who listens to it. */
  change(taskId: string, status: Status, more: object = {}): void {
    const task = this.tasks.get(taskId);
    if (task === undefined) return;
    const { inputRequests: _, ...others }: Task & { readonly inputRequests?: object } = task;
    const changed = { ...others, status, ...more };
    this.tasks.set(taskId, changed);
    this.listens.taskChanged(taskId, changed);
  }
}
