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
import { taskEdits, type TaskReading } from './task-edits.js';
import { TaskPoll } from './task-poll.js';
import { isTerminal, modernTask } from './task-shapes.js';
import { isOfNode, clientTaskId } from '../../server/client-task-id.js';
import { metaFor } from './sent-principal.js';

/** The method of a modern server's notification about a task. */
const WATCHED = 'notifications/tasks';
const RESULT_MS = 10_000;
const PARAMS = valuePaths([['params']]);

type TaskEvent = ServerEvent<Upstream, ServerNotification>;

/** The tasks that one listener watches. */
export class TaskWatches {
  /** The tasks by the id that clients know. */
  private readonly watched = new Map<string, RoutedTask>();
  private readonly polls = new Map<string, TaskPoll>();
  private isEnded = false;

  /** @param onPolledChange called when a task that mcpmux itself polls has changed */
  constructor(
    private readonly caller: Caller,
    private readonly parts: Pick<MethodParts, 'affinity' | 'limits' | 'listeners' | 'clock'>,
    private readonly changed: (received: TaskEvent) => void,
  ) {}

  /** The ids of the tasks, as clients know them. */
  get ids(): readonly string[] {
    return [...this.watched.keys()];
  }

  /** Starts watching a task. Resolves when the server has agreed or refused to report it. */
  async watch(id: string): Promise<void> {
    const { caller, parts } = this;
    const task = findTask(id, caller, parts.affinity);
    const dialect = task?.upstream.connectionFor(caller)?.dialect;
    if (!declaresTasks(caller.profile?.capabilities) || task === undefined || dialect === undefined) return;
    try {
      // Only the node that runs the server knows the owners of the tasks that other nodes have started.
      if (isOfNode(task.upstream)) await this.requestTask(task);
      await dialect.watchTask?.(task.localId, true, parts.limits.listTimeoutMs);
    } catch {
      return;
    }
    this.watched.set(id, task);
    if (dialect.watchTask === undefined) this.polls.set(id, new TaskPoll(task, parts.clock, this.changed));
    if (this.isEnded) this.end();
  }

  /** Requests the task from its server. Rejects unless the task belongs to the caller. */
  private async requestTask({ upstream, localId: taskId }: RoutedTask): Promise<void> {
    const params = { taskId, _meta: metaFor(this.caller.principal) };
    await upstream.connectionFor(this.caller)?.request('tasks/get', params, this.parts.limits.listTimeoutMs);
  }

  has(upstream: Upstream, local: string): boolean {
    return [...this.watched.values()].some((task) => task.upstream === upstream && task.localId === local);
  }

  /** Ends the watches of the listener. Stops watching tasks that no other listener watches. */
  end(): void {
    this.isEnded = true;
    for (const poll of this.polls.values()) poll.end();
    this.polls.clear();
    const { listeners, limits } = this.parts;
    for (const { upstream, localId } of this.watched.values()) {
      if (listeners.watchersOf(upstream, localId).length > 0) continue;
      const { dialect } = upstream.connectionFor(this.caller) ?? {};
      dialect?.watchTask?.(localId, false, limits.listTimeoutMs).catch(() => undefined);
    }
    this.watched.clear();
  }

  /** Reports the notification in the client's format, immediately or as soon as the whole task is known. */
  report({ line, message, upstream, connection }: TaskEvent, reported: (line: Buffer) => void): void {
    const { profile, view } = this.caller;
    const [params] = valueSpans(line, { start: 0, end: line.length }, PARAMS);
    if (params === undefined) return;
    const capabilities = profile?.capabilities ?? {};
    const reading = { upstream, connection, capabilities, catalog: view.catalog };
    if (message.method === WATCHED) return reportTask(line, params.span, reading, reported);
    const local = paramText(line, message, 'taskId') ?? '';
    this.polls.get(clientTaskId(upstream, local))?.noteStatus(paramsOf(line)['status']);
    void taskWithResult(line, params.span, reading).then((task) => {
      if (task === undefined || this.isEnded) return;
      const own = notificationLine(WATCHED, task);
      reported(own);
    });
  }
}

function reportTask(
  line: Buffer,
  params: Span,
  reading: TaskReading,
  reported: (line: Buffer) => void,
): void {
  const edits = taskEdits(line, params, reading);
  if (!('problem' in edits)) reported(splice(line, edits));
}

/**
 * Returns the task that a legacy server reports. Also fetches the result of a task that has ended. Returns undefined
 * while the task needs input, because the client must then request it.
 */
async function taskWithResult(
  line: Buffer,
  { start, end }: Span,
  { upstream, connection, catalog }: TaskReading,
): Promise<object | undefined> {
  const read: unknown = JSON.parse(line.toString('utf8', start, end));
  if (!isRecord(read)) return undefined;
  const taskId = String(read['taskId']);
  const task = modernTask(read, qualifyTaskId(upstream.name, taskId));
  if (task.status === 'working' || task.status === 'cancelled') return task;
  if (!isTerminal(task.status)) return undefined;
  try {
    const { line: answer, result } = await connection.request('tasks/result', { taskId }, RESULT_MS);
    const text = splice(answer, resourceEdits(answer, result, { upstream, catalog }));
    const { result: value }: { result?: unknown } = JSON.parse(text.toString('utf8'));
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
