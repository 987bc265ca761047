import { randomUUID } from 'node:crypto';

import { isRecord } from '@mcpmux/kit';
import {
  type BorrowedLine,
  type Edit,
  resultLine,
  type Span,
  splice,
  valuePaths,
  valueSpans,
} from '@mcpmux/wire';
import { qualifyTaskId } from '@mcpmux/namespace';
import type { CrossedServer, CrossingCall } from '../request/crossing.js';
import type { Exchange } from '../request/exchange.js';
import { removalEdits } from '../../server/link/members.js';
import { toLegacyTask } from '../modern/task-shapes.js';
import { WATCH_TASK_TIMEOUT_MS } from '../../server/dialect/server-dialect.js';
import { clientTaskId } from '../../server/client-task-id.js';

const TASK_PATHS = valuePaths([['params', 'task']]);
/** The maximum size of a stored result, in bytes. The client gets a larger result immediately, without a task. */
const MAX_STORED_RESULT_BYTES = 1024 * 1024;

/** Returns the edits that remove a call's task request, because a modern server decides which calls become tasks. */
export function taskRemovalEdits(line: Buffer): readonly Edit[] {
  const spans = valueSpans(line, { start: 0, end: line.length }, TASK_PATHS).map(({ span }) => span);
  return removalEdits(line, spans);
}

/** Returns the edits that convert a modern server's task to a legacy result. Records the client as the task's owner. */
export function adoptCreatedTask(
  line: BorrowedLine,
  result: Span,
  { caller }: Exchange,
  { upstream, connection, owners }: CrossedServer,
): readonly Edit[] {
  const task: unknown = JSON.parse(line.toString('utf8', result.start, result.end));
  if (!isRecord(task)) return [];
  const localId = String(task['taskId']);
  const report = toLegacyTask(task, clientTaskId(upstream, localId));
  // Legacy clients may expect status notifications for a task. If the server refuses to send them, the client can poll.
  void connection.dialect.watchTask?.(localId, true, WATCH_TASK_TIMEOUT_MS).catch(() => undefined);
  owners.addTask(caller, upstream, report.taskId);
  owners.ledger.set(upstream, { report }, caller.principal.id);
  return [{ span: result, bytes: JSON.stringify({ task: report }) }];
}

/**
 * Answers a call that requested a task but already has a result: with a completed task, unless the result is too large.
 */
export function finishAsTask(
  call: CrossingCall,
  result: Buffer,
  { upstream, owners }: Pick<CrossedServer, 'upstream' | 'owners'>,
): void {
  const { exchange } = call;
  const bytes = result.toString('utf8');
  if (result.length > MAX_STORED_RESULT_BYTES) return call.finish(resultLine(exchange.id, bytes));
  const now = new Date().toISOString();
  const content: unknown = JSON.parse(bytes);
  const task = { status: 'completed', createdAt: now, lastUpdatedAt: now, ttlMs: null, result: content };
  const report = toLegacyTask(task, qualifyTaskId(upstream.name, `done-${randomUUID()}`));
  owners.addTask(exchange.caller, upstream, report.taskId);
  owners.ledger.set(upstream, { report, result }, exchange.caller.principal.id);
  call.finish(resultLine(exchange.id, JSON.stringify({ task: report })));
}

/** Returns a copy of the bytes of `result`, with the edits applied. */
export function editedResult(line: BorrowedLine, { start, end }: Span, edits: readonly Edit[]): Buffer {
  const shifted = edits.map(({ span, bytes }) => ({
    span: { start: span.start - start, end: span.end - start },
    bytes,
  }));
  return splice(Buffer.from(line.subarray(start, end)), shifted).subarray(0, -1);
}
