import { type Clock, isRecord, type Timer } from '@mcpmux/kit';
import { notificationLine, readMessage } from '@mcpmux/wire';
import type { RoutedTask } from '../methods/task-route.js';
import type { Connection } from '../../server/link/connection.js';
import type { ServerNotification } from '../../server/link/pending-call.js';
import { SERVER_MESSAGE_PATHS } from '../../server/link/server-paths.js';
import type { ServerEvent } from '../../server/run/run-inbox.js';
import type { Upstream } from '../../server/upstream.js';
import { isTerminal } from './task-shapes.js';

/** The time between two polls if the server does not state one. */
const DEFAULT_POLL_MS = 5000;
const MIN_POLL_MS = 1000;
const REQUEST_TIMEOUT_MS = 10_000;

/** Polls a legacy server for a task's status, because legacy servers need not report status changes. */
export class TaskPoll {
  private timer: Timer | undefined;
  private isEnded = false;
  private lastStatus: unknown = 'working';

  /** @param onChange called when the status has changed, with a notification as if the server had sent it */
  constructor(
    private readonly task: RoutedTask,
    private readonly clock: Clock,
    private readonly onChange: (received: ServerEvent<Upstream, ServerNotification>) => void,
  ) {
    this.scheduleRequest(DEFAULT_POLL_MS);
  }

  /**
   * Prevents a second report of a status that the server has already reported. Ends the polling if the task has ended.
   */
  recordStatus(status: unknown): void {
    this.lastStatus = status;
    if (isTerminal(status)) this.end();
  }

  end(): void {
    this.isEnded = true;
    this.timer?.cancel();
  }

  private scheduleRequest(ms: number): void {
    if (!this.isEnded) this.timer = this.clock.schedule(() => void this.requestTask(), ms);
  }

  private async requestTask(): Promise<void> {
    const { upstream, localId } = this.task;
    const { connection } = upstream;
    const task = connection && (await fetchTask(connection, localId));
    // If the server is not running or does not know the task, there is nothing more to poll.
    if (connection === undefined || task === undefined) return this.end();
    if (this.isEnded) return;
    const { status, pollInterval } = task;
    if (status !== this.lastStatus) this.report(connection, task);
    this.recordStatus(status);
    this.scheduleRequest(
      typeof pollInterval === 'number' ? Math.max(pollInterval, MIN_POLL_MS) : DEFAULT_POLL_MS,
    );
  }

  private report(connection: Connection, task: Readonly<Record<string, unknown>>): void {
    const line = notificationLine('notifications/tasks/status', task).subarray(0, -1);
    const message = readMessage(line, SERVER_MESSAGE_PATHS);
    const { upstream } = this.task;
    if (message.kind === 'notification') this.onChange({ upstream, connection, line, message });
  }
}

async function fetchTask(
  connection: Connection,
  taskId: string,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    const { line, result } = await connection.request('tasks/get', { taskId }, REQUEST_TIMEOUT_MS);
    const task: unknown = JSON.parse(line.toString('utf8', result.start, result.end));
    return isRecord(task) ? task : undefined;
  } catch {
    return undefined;
  }
}
