import { isRecord, messageOf, paramsOf } from '@mcpmux/kit';
import { qualifyTaskId } from '@mcpmux/namespace';

import {
  ErrorCode,
  notificationLine,
  paramText,
  type Span,
  splice,
  valuePaths,
  valueSpans,
} from '@mcpmux/wire';
import type { Caller } from '../caller/caller.js';
import type { MethodParts } from '../methods/handler.js';
import { findTask, type RoutedTask } from '../methods/task-route.js';
import { resourceEdits } from '../request/result-reader.js';
import type { ServerNotification } from '../../server/link/pending-call.js';
import type { ServerEvent } from '../../server/run/run-inbox.js';
import type { Upstream } from '../../server/upstream.js';
import { declaresTasks } from '../../server/dialect/tasks-extension.js';
import { taskEdits, type TaskContext } from './task-edits.js';
import { TaskPoll } from './task-poll.js';
import { isTerminal, toModernTask } from './task-shapes.js';
import { isRunByOtherNode, clientTaskId } from '../../server/client-task-id.js';
import { taskRequestMeta } from './sent-principal.js';

/** The method of a task notification in the modern era. */
const TASK_NOTIFICATION = 'notifications/tasks';
const RESULT_TIMEOUT_MS = 10_000;
const PARAMS_PATHS = valuePaths([['params']]);

type TaskEvent = ServerEvent<Upstream, ServerNotification>;

/** The tasks that one listener watches. */
export class TaskWatches {
  /** The tasks by the id that clients know. */
  private readonly watchedTasks = new Map<string, RoutedTask>();
  private readonly polls = new Map<string, TaskPoll>();
  private isEnded = false;

  /** @param onPolledChange called when a task that mcpmux itself polls has changed */
  constructor(
    private readonly caller: Caller,
    private readonly parts: Pick<MethodParts, 'affinity' | 'limits' | 'listeners' | 'clock'>,
    private readonly onPolledChange: (received: TaskEvent) => void,
  ) {}

  /** The ids of the tasks, as clients know them. */
  get ids(): readonly string[] {
    return [...this.watchedTasks.keys()];
  }

  /**
   * Starts watching a task. Resolves without watching if the client cannot use it or the server refuses to report it.
   */
  async watch(id: string): Promise<void> {
    const { caller, parts } = this;
    const task = findTask(id, caller, parts.affinity);
    const dialect = task?.upstream.connectionFor(caller)?.dialect;
    if (!declaresTasks(caller.profile?.capabilities) || task === undefined || dialect === undefined) return;
    try {
      // Only the node that runs the server knows who owns the tasks that were started through other nodes.
      if (isRunByOtherNode(task.upstream)) await this.checkTaskAccess(task);
      await dialect.watchTask?.(task.localId, true, parts.limits.listTimeoutMs);
    } catch {
      return;
    }
    this.watchedTasks.set(id, task);
    if (dialect.watchTask === undefined)
      this.polls.set(id, new TaskPoll(task, parts.clock, this.onPolledChange));
    if (this.isEnded) this.end();
  }

  /** Requests the task from its server. Rejects unless the task belongs to the caller. */
  private async checkTaskAccess({ upstream, localId: taskId }: RoutedTask): Promise<void> {
    const params = { taskId, _meta: taskRequestMeta(this.caller.principal) };
    await upstream.connectionFor(this.caller)?.request('tasks/get', params, this.parts.limits.listTimeoutMs);
  }

  isWatched(upstream: Upstream, local: string): boolean {
    return [...this.watchedTasks.values()].some(
      (task) => task.upstream === upstream && task.localId === local,
    );
  }

  /** Ends the listener's watches. Asks servers to stop reporting the tasks that no other listener watches. */
  end(): void {
    this.isEnded = true;
    for (const poll of this.polls.values()) poll.end();
    this.polls.clear();
    const { listeners, limits } = this.parts;
    for (const { upstream, localId } of this.watchedTasks.values()) {
      if (listeners.watchersOf(upstream, localId).length > 0) continue;
      const { dialect } = upstream.connectionFor(this.caller) ?? {};
      dialect?.watchTask?.(localId, false, limits.listTimeoutMs).catch(() => undefined);
    }
    this.watchedTasks.clear();
  }

  /**
   * Passes a task notification to `onLine` in the client's format. Fetches the result first if a legacy task has ended.
   */
  report({ line, message, upstream, connection }: TaskEvent, onLine: (line: Buffer) => void): void {
    const { profile, view } = this.caller;
    const [params] = valueSpans(line, { start: 0, end: line.length }, PARAMS_PATHS);
    if (params === undefined) return;
    const capabilities = profile?.capabilities ?? {};
    const context = { upstream, connection, capabilities, catalog: view.catalog };
    if (message.method === TASK_NOTIFICATION) return reportTask(line, params.span, context, onLine);
    const localId = paramText(line, message, 'taskId') ?? '';
    this.polls.get(clientTaskId(upstream, localId))?.recordStatus(paramsOf(line)['status']);
    void fetchTaskWithResult(line, params.span, context).then((task) => {
      if (task === undefined || this.isEnded) return;
      const taskLine = notificationLine(TASK_NOTIFICATION, task);
      onLine(taskLine);
    });
  }
}

function reportTask(line: Buffer, params: Span, context: TaskContext, onLine: (line: Buffer) => void): void {
  const edits = taskEdits(line, params, context);
  if (!('problem' in edits)) onLine(splice(line, edits));
}

/**
 * Returns the task that a legacy server reports, with its result if it has ended. Returns undefined while the task
 * needs input: the client must request the task to get its questions.
 */
async function fetchTaskWithResult(
  line: Buffer,
  { start, end }: Span,
  { upstream, connection, catalog }: TaskContext,
): Promise<object | undefined> {
  const receivedTask: unknown = JSON.parse(line.toString('utf8', start, end));
  if (!isRecord(receivedTask)) return undefined;
  const taskId = String(receivedTask['taskId']);
  const task = toModernTask(receivedTask, qualifyTaskId(upstream.name, taskId));
  if (task.status === 'working' || task.status === 'cancelled') return task;
  if (!isTerminal(task.status)) return undefined;
  try {
    const { line: answer, result } = await connection.request('tasks/result', { taskId }, RESULT_TIMEOUT_MS);
    const editedAnswer = splice(answer, resourceEdits(answer, result, { upstream, catalog }));
    const { result: value }: { result?: unknown } = JSON.parse(editedAnswer.toString('utf8'));
    return {
      ...task,
      status: 'completed',
      result: { resultType: 'complete', ...(isRecord(value) && value) },
    };
  } catch (error) {
    const problem = { code: ErrorCode.InternalError, message: messageOf(error) };
    return { ...task, status: 'failed', error: problem };
  }
}
