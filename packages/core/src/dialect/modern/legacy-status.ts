import { notificationLine } from '@mcpmux/wire';
import { isRecord } from '../../base/is-record.js';
import { paramsOf } from '../../base/params.js';
import type { TaskStatus } from '../../downstream/session/stateless-requests.js';
import { isTerminal, legacyTask } from './task-shapes.js';

/** The notification of the legacy era for one of the modern era that tells of a task. */
export function legacyStatus(line: Buffer, taskId: string): TaskStatus | undefined {
  const task: unknown = paramsOf(line);
  if (!isRecord(task)) return undefined;
  const told = legacyTask(task, taskId);
  return { line: notificationLine('notifications/tasks/status', told), isLast: isTerminal(told.status) };
}
