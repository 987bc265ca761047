import { isRecord, paramsOf } from '@mcpmux/kit';
import { notificationLine } from '@mcpmux/wire';
import type { TaskStatus } from '../session/stateless-requests.js';
import { isTerminal, legacyTask } from './task-shapes.js';

/** The notification of the legacy era for one of the modern era that tells of a task. */
export function legacyStatus(line: Buffer, taskId: string): TaskStatus | undefined {
  const task: unknown = paramsOf(line);
  if (!isRecord(task)) return undefined;
  const told = legacyTask(task, taskId);
  return { line: notificationLine('notifications/tasks/status', told), isLast: isTerminal(told.status) };
}
