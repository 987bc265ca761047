import { isRecord, paramsOf } from '@mcpmux/kit';
import { notificationLine } from '@mcpmux/wire';

type TaskMembers = Readonly<Record<string, unknown>>;

/** A task with only the members that one era's format defines. */
export type FormattedTask = TaskMembers & { readonly taskId: string; readonly status: string };

/** The task members that are copied unchanged between the eras. */
const COMMON_MEMBERS = ['statusMessage', 'createdAt', 'lastUpdatedAt'] as const;
/** The timestamp for a task that a server sends without one. Clients require a timestamp. */
const UNKNOWN_TIME = '1970-01-01T00:00:00Z';

/** Returns a modern server's task in the legacy format. A completed task becomes failed if its result has `isError`. */
export function toLegacyTask(task: TaskMembers, taskId: string): FormattedTask {
  const { status, ttlMs = null, pollIntervalMs, result } = task;
  const isError = isErrorResult(result);
  return {
    taskId,
    status: status === 'completed' && isError ? 'failed' : String(status),
    ...commonMembersOf(task),
    ttl: ttlMs,
    ...(pollIntervalMs !== undefined && { pollInterval: pollIntervalMs }),
  };
}

/** Returns a legacy server's task in the modern format. */
export function toModernTask(task: TaskMembers, taskId: string): FormattedTask {
  const { status, ttl = null, pollInterval } = task;
  return {
    taskId,
    status: String(status),
    ...commonMembersOf(task),
    ttlMs: ttl,
    ...(pollInterval !== undefined && { pollIntervalMs: pollInterval }),
  };
}

/** True for the status of a task that has ended. */
export function isTerminal(status: unknown): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

function commonMembersOf(task: TaskMembers): TaskMembers {
  const presentMembers = COMMON_MEMBERS.filter((key) => task[key] !== undefined).map((key) => [
    key,
    task[key],
  ]);
  return { createdAt: UNKNOWN_TIME, lastUpdatedAt: UNKNOWN_TIME, ...Object.fromEntries(presentMembers) };
}

function isErrorResult(result: unknown): boolean {
  return typeof result === 'object' && result !== null && 'isError' in result && result.isError === true;
}

/** Converts a modern task notification to the legacy format. `isLast` is true if the task has ended. */
export function legacyTaskNotification(
  line: Buffer,
  taskId: string,
): { readonly line: Buffer; readonly isLast: boolean } | undefined {
  const task: unknown = paramsOf(line);
  if (!isRecord(task)) return undefined;
  const legacyTask = toLegacyTask(task, taskId);
  return {
    line: notificationLine('notifications/tasks/status', legacyTask),
    isLast: isTerminal(legacyTask.status),
  };
}
