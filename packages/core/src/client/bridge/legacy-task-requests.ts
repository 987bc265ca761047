import { isRecord } from '@mcpmux/kit';
import {
  type BorrowedLine,
  type Edit,
  ErrorCode,
  errorLine,
  readMessage,
  resultLine,
  type Span,
  splice,
} from '@mcpmux/wire';
import type { KnownTask } from '../caller/task-ledger.js';
import type { Crossing, CrossingCall } from '../request/crossing.js';
import type { Exchange } from '../request/exchange.js';
import { resourceEdits } from '../request/result-reader.js';
import type { ServerResponse } from '../../server/link/pending-call.js';
import { RELATED_TASK } from '../../server/link/server-paths.js';
import { SERVER_MESSAGE_PATHS } from '../../server/link/server-paths.js';
import type { InputRequest } from '../modern/input-requests.js';
import type { BridgedServer } from './client-envelopes.js';
import { internalErrorEdits } from './error-codes.js';
import { envelopeEdits } from './request-envelope.js';
import { readModernResult, strippingEdits } from './result-type.js';
import { errorLineBuilder, TaskDriver, relatedTaskEdits } from './task-drive.js';
import { methodEdits, taskRequest } from './task-request.js';
import { isTerminal, toLegacyTask, type FormattedTask } from '../modern/task-shapes.js';
import { wrappingEdits } from './wrapped-result.js';
import { localTaskId } from '../../server/client-task-id.js';

const GET_TASK = 'tasks/get';
const TASK_RESULT = 'tasks/result';
const CANCEL_TASK = 'tasks/cancel';

/**
 * Forwards a legacy client's request about a modern server's task, or answers it if mcpmux has stored the task's end.
 */
export function legacyTaskRequest(exchange: Exchange, init: BridgedServer): Crossing | undefined {
  const id = exchange.textAt('taskId')?.text ?? '';
  const known = init.owners.ledger.get(init.upstream, id);
  const isKept = known?.result !== undefined || known?.report['status'] === 'cancelled';
  if (!isKept || known === undefined) return new LegacyTaskRequest(exchange, id, init);
  answerFromLedger(exchange, known);
  return undefined;
}

/** Answers a request about a task that completed immediately or was cancelled, without the server. */
function answerFromLedger(exchange: Exchange, { report, result }: KnownTask): void {
  const { id, method } = exchange;
  if (method === GET_TASK) exchange.respond(resultLine(id, JSON.stringify(report)));
  else if (method === CANCEL_TASK) exchange.rejectParams(endedMessage(report));
  else if (result === undefined)
    exchange.respond(errorLine(id, { code: ErrorCode.InternalError, message: endedMessage(report) }));
  else {
    const edits = relatedTaskEdits(result, { start: 0, end: result.length }, report.taskId);
    exchange.respond(resultLine(id, splice(result, edits).subarray(0, -1).toString('utf8')));
  }
}

function endedMessage({ taskId, status }: KnownTask['report']): string {
  return `The task ${taskId} has ended: ${String(status)}`;
}

/** One request from a legacy client about a task of a modern server. */
class LegacyTaskRequest implements Crossing {
  readonly edits: readonly Edit[];
  private readonly localId: string;
  private readonly taskDriver: TaskDriver | undefined;
  /** The task that mcpmux has asked the server to cancel; undefined before that. */
  private taskToCancel: FormattedTask | undefined;
  private readonly meta: Readonly<Record<string, string>>;

  constructor(
    private readonly exchange: Exchange,
    private readonly id: string,
    private readonly init: BridgedServer,
  ) {
    const { line, caller, method } = exchange;
    const { upstream, envelopes } = init;
    this.localId = localTaskId(upstream, id);
    this.meta = envelopes.forLegacy(caller, upstream, 'with').members;
    this.edits = [
      ...envelopeEdits(line, this.meta),
      ...(method === GET_TASK ? [] : methodEdits(line, GET_TASK)),
    ];
    this.taskDriver = method === TASK_RESULT ? this.createTaskDriver() : undefined;
  }

  onResponse(call: CrossingCall, line: BorrowedLine, response: ServerResponse): readonly Edit[] | undefined {
    const { taskDriver, exchange } = this;
    if (taskDriver !== undefined) return taskDriver.onResponse(call, line, response);
    const { result, error } = response;
    if (result === undefined) return error === undefined ? [] : internalErrorEdits(line, error);
    if (exchange.method === CANCEL_TASK) return this.handleCancel(call, line, result);
    return [{ span: result, bytes: JSON.stringify(this.recordTask(line, result)) }];
  }

  onAbort(): void {
    this.taskDriver?.abort(false);
  }

  private handleCancel(call: CrossingCall, line: BorrowedLine, result: Span): undefined {
    const { taskToCancel, exchange, init } = this;
    if (taskToCancel !== undefined) {
      const report = { ...taskToCancel, status: 'cancelled' };
      init.owners.ledger.set(init.upstream, { report }, exchange.caller.principal.id);
      call.finish(resultLine(exchange.id, JSON.stringify(report)));
      return undefined;
    }
    const task = this.recordTask(line, result);
    if (isTerminal(task.status)) {
      call.finish(errorLine(exchange.id, { code: ErrorCode.InvalidParams, message: endedMessage(task) }));
      return undefined;
    }
    this.taskToCancel = task;
    call.resend(taskRequest(CANCEL_TASK, { taskId: this.localId, meta: this.meta }));
    return undefined;
  }

  private recordTask(line: BorrowedLine, result: Span): FormattedTask {
    const task: unknown = JSON.parse(line.toString('utf8', result.start, result.end));
    const report = toLegacyTask(isRecord(task) ? task : {}, this.id);
    const { exchange, init } = this;
    init.owners.ledger.set(init.upstream, { report }, exchange.caller.principal.id);
    return report;
  }

  private createTaskDriver(): TaskDriver {
    const { exchange, init, id, localId: taskId, meta } = this;
    const { upstream, connection, parts } = init;
    const { catalog } = exchange.caller.view;
    return new TaskDriver(parts, {
      exchange,
      upstream,
      connection,
      taskId,
      meta,
      resultEdits: (line, result) => [
        ...relatedTaskEdits(line, result, id),
        ...resourceEdits(line, result, { upstream, catalog }),
        ...legacyResultEdits(line, result, false),
      ],
      convertQuestion: (request) => questionWithTask(request, taskId),
      failureLine: errorLineBuilder(exchange),
    });
  }
}

/** Returns the edits that convert a modern tool result to the legacy format. */
export function legacyResultEdits(line: Buffer, result: Span, isWrapped: boolean): readonly Edit[] {
  const stripped = strippingEdits(line, readModernResult(line, result), 'tools/call');
  // At the same offset, the insertion must come before the deletion.
  return [...wrappingEdits(line, result, isWrapped), ...stripped];
}

/** Returns the question with its task's id added to `_meta`. */
function questionWithTask(request: InputRequest, taskId: string): InputRequest {
  const [, key] = RELATED_TASK;
  const edits = envelopeEdits(request.line, { [key]: JSON.stringify({ taskId }) });
  const line = splice(request.line, edits).subarray(0, -1);
  const message = readMessage(line, SERVER_MESSAGE_PATHS);
  return message.kind === 'request' ? { ...request, line, message } : request;
}
