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
import { approvedHashToSend } from '../modern/sent-principal.js';
import type { BridgedServer, ClientEnvelopes } from './client-envelopes.js';
import { errorCodeAt, internalErrorEdits, requiredCapabilityNames, requiresTasks } from './error-codes.js';
import type { InputComponents } from './input-questions.js';
import { InputRounds } from './input-rounds.js';
import { adoptCreatedTask, editedResult, finishAsTask, taskRemovalEdits } from './legacy-task-call.js';
import { legacyResultEdits, legacyTaskRequest } from './legacy-task-requests.js';
import { isOutputWrapped } from '../../server/dialect/modern/tool-for-others.js';
import { envelopeEdits } from './request-envelope.js';
import { completeTypeSpan, readModernResult, strippingEdits, typeRemovalEdits } from './result-type.js';
import { createdTask, errorLineBuilder, TaskDriver } from './task-drive.js';
import { wrappingEdits } from './wrapped-result.js';

/** The methods whose results may ask for input. */
const INPUT_METHODS: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);
const PROGRESS_PATHS = valuePaths([['params', 'progress']]);

/** Returns the bridge from legacy clients to modern servers. */
export function legacyOnModern(envelopes: ClientEnvelopes, parts: InputComponents): Bridge {
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
  private readonly hasWrappedOutput: boolean;
  /** True if the client has requested a task. */
  private readonly wantsTask: boolean;
  /** The call to resend with task support declared, if the server requires that. */
  private retryRequest: OutgoingCall | undefined;
  private inputRounds: InputRounds | undefined;
  private taskDriver: TaskDriver | undefined;
  private lastProgress = -Infinity;

  constructor(
    private readonly exchange: Exchange,
    private readonly init: BridgedServer,
  ) {
    const { line, method, params, caller } = exchange;
    const { envelopes, upstream } = init;
    const isToolCall = method === 'tools/call';
    this.wantsTask = isToolCall && params.has('task');
    const taskSupport = this.wantsTask ? 'with' : 'without';
    const clientEdits = envelopes
      .forLegacy(caller, upstream, taskSupport, approvedHashToSend(exchange, upstream))
      .insertionEdits(exchange);
    this.edits = this.wantsTask ? [...clientEdits, ...taskRemovalEdits(line)] : clientEdits;
    this.hasWrappedOutput = isWrappedTool(exchange);
  }

  onSent(request: OutgoingCall): void {
    const { exchange, init } = this;
    const { upstream } = init;
    if (!INPUT_METHODS.has(exchange.method)) return;
    this.inputRounds = new InputRounds(exchange, upstream, request, init.parts);
    if (exchange.method === 'tools/call' && !this.wantsTask) this.retryRequest = request;
  }

  onResponse(call: CrossingCall, line: BorrowedLine, response: ServerResponse): readonly Edit[] | undefined {
    const { inputRounds, exchange, taskDriver } = this;
    if (taskDriver !== undefined) return taskDriver.onResponse(call, line, response);
    const { result, error } = response;
    if (result === undefined) return error === undefined ? [] : this.handleError(call, line, error);
    const { method } = exchange;
    const type = method === 'tools/call' ? completeTypeSpan(line, result) : undefined;
    const strippedEdits = type && typeRemovalEdits(line, result, type);
    if (strippedEdits !== undefined) return this.completeCall(call, line, result, strippedEdits);
    const modernResult = readModernResult(line, result);
    if (modernResult.type === 'complete')
      return this.completeCall(call, line, result, strippingEdits(line, modernResult, method));
    if (modernResult.type === 'task' && this.wantsTask)
      return adoptCreatedTask(line, result, exchange, this.init);
    if (modernResult.type === 'task' && exchange.method === 'tools/call')
      return this.followTask(call, line, result);
    if (modernResult.type === 'input_required' && inputRounds !== undefined) {
      inputRounds.handleInputRequired(call, toOwned(line), modernResult);
      return undefined;
    }
    const message = `Server "${this.init.upstream.name}" answered with an unsupported result type (${modernResult.type})`;
    call.finish(errorLine(exchange.id, { code: ErrorCode.InternalError, message }));
    return undefined;
  }

  onProgress(line: OwnedLine): boolean {
    const [found] = valueSpans(line, { start: 0, end: line.length }, PROGRESS_PATHS);
    const progress = found && Number(line.toString('latin1', found.span.start, found.span.end));
    // A server's progress restarts in each round, but the client sees one request, whose progress must increase.
    if (progress === undefined || (this.inputRounds?.hasBegun === true && progress <= this.lastProgress))
      return false;
    this.lastProgress = progress;
    return true;
  }

  onAbort(): void {
    this.inputRounds?.abort();
    this.taskDriver?.abort(true);
  }

  /** @param stripped the edits that remove the members that only the modern era has */
  private completeCall(
    call: CrossingCall,
    line: BorrowedLine,
    result: Span,
    stripped: readonly Edit[],
  ): readonly Edit[] | undefined {
    const { exchange, init, hasWrappedOutput } = this;
    this.inputRounds?.complete();
    if (exchange.method !== 'tools/call') return stripped;
    // At the same offset, the insertion must come before the deletion.
    const edits = [...wrappingEdits(line, result, hasWrappedOutput), ...stripped];
    if (!this.wantsTask) return edits;
    finishAsTask(call, editedResult(line, result, edits), init);
    return undefined;
  }

  /** Sends the call again with task support declared, because the server requires it. */
  private retryWithTasks(call: CrossingCall, { edits, ...request }: OutgoingCall): undefined {
    const { exchange, init } = this;
    const { upstream, envelopes } = init;
    this.retryRequest = undefined;
    const descriptionEdits = envelopeEdits(
      request.line,
      envelopes.forLegacy(exchange.caller, upstream, 'with', approvedHashToSend(exchange, upstream)).members,
    );
    const otherEdits = edits.filter((edit) => !this.edits.includes(edit));
    call.resend({ ...request, edits: [...otherEdits, ...descriptionEdits] });
  }

  /** Polls the task for a client that did not request one, and answers the call with the task's result. */
  private followTask(call: CrossingCall, line: BorrowedLine, result: Span): undefined {
    const { exchange, init, hasWrappedOutput } = this;
    const { upstream, connection, envelopes, parts } = init;
    const { taskId, pollIntervalMs } = createdTask(line, result);
    const { catalog } = exchange.caller.view;
    this.taskDriver = new TaskDriver(parts, {
      exchange,
      upstream,
      connection,
      taskId,
      meta: envelopes.forLegacy(exchange.caller, upstream, 'with').members,
      resultEdits: (text, inner) => [
        ...resourceEdits(text, inner, { upstream, catalog }),
        ...legacyResultEdits(text, inner, hasWrappedOutput),
      ],
      failureLine: errorLineBuilder(exchange),
    });
    this.taskDriver.schedulePoll(call, pollIntervalMs);
  }

  private handleError(call: CrossingCall, line: BorrowedLine, error: Span): readonly Edit[] | undefined {
    const { exchange, retryRequest } = this;
    const { upstream } = this.init;
    const errorCode = errorCodeAt(line, error);
    if (errorCode?.code !== ErrorCode.MissingCapability) return internalErrorEdits(line, error);
    if (retryRequest !== undefined && requiresTasks(line, error))
      return this.retryWithTasks(call, retryRequest);
    if (exchange.method !== 'tools/call')
      return [{ span: errorCode.span, bytes: String(ErrorCode.InternalError) }];
    const text = `Server "${upstream.name}" needs what the client behind mcpmux does not have: ${requiredCapabilityNames(line, error)}.`;
    call.finish(resultLine(exchange.id, errorResultJson(text)));
    return undefined;
  }
}

/** True if mcpmux has wrapped the tool's `outputSchema` for this client, so that results need the same wrapping. */
function isWrappedTool(exchange: Exchange): boolean {
  if (exchange.method !== 'tools/call') return false;
  const name = exchange.textAt('name');
  const route = name && routeToolCall(name.text, exchange.caller.view.directory);
  if (route?.kind !== 'forward') return false;
  const { forOthers, bytes } = route.entry.definition;
  return forOthers !== undefined && isOutputWrapped(bytes);
}
