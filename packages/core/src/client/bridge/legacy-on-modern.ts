import {
  type BorrowedLine,
  type Edit,
  ErrorCode,
  errorLine,
  type OwnedLine,
  resultLine,
  type Span,
  toOwned,
  valuePaths,
  valueSpans,
} from '@mcpmux/wire';
import { errorResultJson } from '../caller/tool-result.js';
import type { Bridge, Crossing, CrossingCall } from '../request/crossing.js';
import type { Exchange } from '../request/exchange.js';
import { resourceEdits } from '../request/result-reader.js';
import { routeToolCall } from '../../catalog/routing/route-named.js';
import type { OutgoingCall } from '../../server/link/calls.js';
import type { ServerResponse } from '../../server/link/pending-call.js';
import { isTaskMethod } from '../../server/dialect/client-requests.js';
import { sentApproval } from '../modern/sent-principal.js';
import type { BridgedServer, ClientEnvelopes } from './client-envelopes.js';
import { errorCodeAt, internalError, requiredNames, requiresTasks } from './error-codes.js';
import type { RoundParts } from './input-questions.js';
import { InputRounds } from './input-rounds.js';
import { adoptCreatedTask, editedResult, finishAsTask, withoutTask } from './legacy-task-call.js';
import { legacyResult, legacyTaskRequest } from './legacy-task-requests.js';
import { isOutputWrapped } from '../../server/dialect/modern/tool-for-others.js';
import { envelopeEdits } from './request-envelope.js';
import { completeTypeSpan, readModernResult, strippedResult, withoutType } from './result-type.js';
import { createdTask, errorAnswer, TaskDrive } from './task-drive.js';
import { wrappedResult } from './wrapped-result.js';

/** The methods whose results may ask for input. */
const MAY_ASK: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);
const PROGRESS = valuePaths([['params', 'progress']]);

/** Returns the bridge from legacy clients to modern servers. */
export function legacyOnModern(envelopes: ClientEnvelopes, parts: RoundParts): Bridge {
  return (exchange, server) => {
    const init = { ...server, envelopes, parts };
    return isTaskMethod(exchange.method)
      ? legacyTaskRequest(exchange, init)
      : new LegacyOnModern(exchange, init);
  };
}

/** A request from a legacy client to a modern server, with mcpmux as the modern client. */
class LegacyOnModern implements Crossing {
  readonly edits: readonly Edit[];
  private readonly isWrapped: boolean;
  /** True if the client has requested a task. */
  private readonly wantsTask: boolean;
  /** The call to send again if the server requires a client that supports tasks. */
  private retryRequest: OutgoingCall | undefined;
  private rounds: InputRounds | undefined;
  private drive: TaskDrive | undefined;
  private lastProgress = -Infinity;

  constructor(
    private readonly exchange: Exchange,
    private readonly init: BridgedServer,
  ) {
    const { line, method, params, caller } = exchange;
    const { envelopes, upstream } = init;
    const isCall = method === 'tools/call';
    this.wantsTask = isCall && params.has('task');
    const tasks = this.wantsTask ? 'with' : 'without';
    const envelope = envelopes
      .forLegacy(caller, upstream, tasks, sentApproval(exchange, upstream))
      .addEdits(exchange);
    this.edits = this.wantsTask ? [...envelope, ...withoutTask(line)] : envelope;
    this.isWrapped = isWrappedTool(exchange);
  }

  onSent(request: OutgoingCall): void {
    const { exchange, init } = this;
    const { upstream } = init;
    if (!MAY_ASK.has(exchange.method)) return;
    this.rounds = new InputRounds(exchange, upstream, request, init.parts);
    if (exchange.method === 'tools/call' && !this.wantsTask) this.retryRequest = request;
  }

  onResponse(call: CrossingCall, line: BorrowedLine, response: ServerResponse): readonly Edit[] | undefined {
    const { rounds, exchange, drive } = this;
    if (drive !== undefined) return drive.onResponse(call, line, response);
    const { result, error } = response;
    if (result === undefined) return error === undefined ? [] : this.handleError(call, line, error);
    const { method } = exchange;
    const type = method === 'tools/call' ? completeTypeSpan(line, result) : undefined;
    const strippedEdits = type && withoutType(line, result, type);
    if (strippedEdits !== undefined) return this.complete(call, line, result, strippedEdits);
    const read = readModernResult(line, result);
    if (read.type === 'complete')
      return this.complete(call, line, result, strippedResult(line, read, method));
    if (read.type === 'task' && this.wantsTask) return adoptCreatedTask(line, result, exchange, this.init);
    if (read.type === 'task' && exchange.method === 'tools/call') return this.followTask(call, line, result);
    if (read.type === 'input_required' && rounds !== undefined) {
      rounds.next(call, toOwned(line), read);
      return undefined;
    }
    const message = `Server "${this.init.upstream.name}" answered with an unsupported result type (${read.type})`;
    call.finish(errorLine(exchange.id, { code: ErrorCode.InternalError, message }));
    return undefined;
  }

  onProgress(line: OwnedLine): boolean {
    const [found] = valueSpans(line, { start: 0, end: line.length }, PROGRESS);
    const progress = found && Number(line.toString('latin1', found.span.start, found.span.end));
    // A server's progress restarts in each round, but the client sees one request.
    if (progress === undefined || (this.rounds?.hasBegun === true && progress <= this.lastProgress))
      return false;
    this.lastProgress = progress;
    return true;
  }

  onAbort(): void {
    this.rounds?.abort();
    this.drive?.abort(true);
  }

  /** @param stripped the edits that remove members of the modern era */
  private complete(
    call: CrossingCall,
    line: BorrowedLine,
    result: Span,
    stripped: readonly Edit[],
  ): readonly Edit[] | undefined {
    const { exchange, init, isWrapped } = this;
    this.rounds?.complete();
    if (exchange.method !== 'tools/call') return stripped;
    // At the same offset, the insertion must come before the deletion.
    const edits = [...wrappedResult(line, result, isWrapped), ...stripped];
    if (!this.wantsTask) return edits;
    finishAsTask(call, editedResult(line, result, edits), init);
    return undefined;
  }

  /** Sends the call again with task support declared, because the server requires it. */
  private retryWithTasks(call: CrossingCall, { edits, ...request }: OutgoingCall): undefined {
    const { exchange, init } = this;
    const { upstream, envelopes } = init;
    this.retryRequest = undefined;
    const declared = envelopeEdits(
      request.line,
      envelopes.forLegacy(exchange.caller, upstream, 'with', sentApproval(exchange, upstream)).members,
    );
    const others = edits.filter((edit) => !this.edits.includes(edit));
    call.resend({ ...request, edits: [...others, ...declared] });
  }

  /** Follows the task for a client that did not request a task, and answers with the task's result. */
  private followTask(call: CrossingCall, line: BorrowedLine, result: Span): undefined {
    const { exchange, init, isWrapped } = this;
    const { upstream, connection, envelopes, parts } = init;
    const { taskId, pollIntervalMs } = createdTask(line, result);
    const { catalog } = exchange.caller.view;
    this.drive = new TaskDrive(parts, {
      exchange,
      upstream,
      connection,
      taskId,
      meta: envelopes.forLegacy(exchange.caller, upstream, 'with').members,
      shape: (text, inner) => [
        ...resourceEdits(text, inner, { upstream, catalog }),
        ...legacyResult(text, inner, isWrapped),
      ],
      failureLine: errorAnswer(exchange),
    });
    this.drive.poll(call, pollIntervalMs);
  }

  private handleError(call: CrossingCall, line: BorrowedLine, error: Span): readonly Edit[] | undefined {
    const { exchange, retryRequest } = this;
    const { upstream } = this.init;
    const found = errorCodeAt(line, error);
    if (found?.code !== ErrorCode.MissingCapability) return internalError(line, error);
    if (retryRequest !== undefined && requiresTasks(line, error))
      return this.retryWithTasks(call, retryRequest);
    if (exchange.method !== 'tools/call')
      return [{ span: found.span, bytes: String(ErrorCode.InternalError) }];
    const text = `Server "${upstream.name}" needs what the client behind mcpmux does not have: ${requiredNames(line, error)}.`;
    call.finish(resultLine(exchange.id, errorResultJson(text)));
    return undefined;
  }
}

/** True if the client got a wrapped `outputSchema` instead of the server's own. */
function isWrappedTool(exchange: Exchange): boolean {
  if (exchange.method !== 'tools/call') return false;
  const name = exchange.text('name');
  const route = name && routeToolCall(name.text, exchange.caller.view.directory);
  if (route?.kind !== 'forward') return false;
  const { forOthers, bytes } = route.entry.definition;
  return forOthers !== undefined && isOutputWrapped(bytes);
}
