import { isRecord } from '@mcpmux/kit';
import {
  type BorrowedLine,
  type Edit,
  type OutgoingLine,
  type OwnedLine,
  type Span,
  splice,
} from '@mcpmux/wire';
import type { OutgoingCall } from '../../server/link/calls.js';
import type { Connection } from '../../server/link/connection.js';
import type { PendingCall, ServerResponse } from '../../server/link/pending-call.js';
import type { CallFailure } from '../../server/link/run-failure.js';
import type { Upstream } from '../../server/upstream.js';
import type { Crossing } from './crossing.js';
import type { AbortReason, Exchange } from './exchange.js';
import { failureAnswer, unavailableAnswer } from './failure-answer.js';
import { startCrossing, type ForwardParts } from './forward.js';
import { resourceEdits } from './result-reader.js';

/** The error codes for an unknown resource: the code in revision 2025-11-25 and the code in later revisions. */
const NOT_FOUND_CODES: ReadonlySet<unknown> = new Set([-32_002, -32_602]);

interface PendingRead {
  readonly upstream: Upstream;
  readonly connection: Connection;
  readonly crossing: Crossing | undefined;
  callId: number;
}

/**
 * Reads a resource whose server is unknown. Sends the request to one server after another until one has the resource.
 */
export class FallbackRead implements PendingCall {
  private remainingServers: readonly Upstream[] = [];
  /** The answer if no server has the resource: the last server's "not found" error, otherwise the first failure. */
  private lastAnswer: Buffer | undefined;
  private currentRead: PendingRead | undefined;

  constructor(
    readonly exchange: Exchange,
    private readonly parts: Pick<ForwardParts, 'bridges' | 'affinity'>,
  ) {
    exchange.onAbort((why) => this.abort(why));
  }

  /** Sends the request to the first available server. Answers with an error if no server is available. */
  start(upstreams: readonly Upstream[]): void {
    this.remainingServers = upstreams;
    for (let next = this.nextServer(); next !== undefined; next = this.nextServer()) {
      if (this.readFrom(next)) return;
    }
    const { exchange } = this;
    exchange.respond(this.lastAnswer ?? failureAnswer(exchange, '', { kind: 'removed' }));
  }

  onResponse(line: BorrowedLine, response: ServerResponse): void {
    const { exchange, currentRead } = this;
    const bridgedEdits = currentRead && this.bridgedEdits(currentRead, line, response);
    if (bridgedEdits === undefined) return;
    const edits: Edit[] = [{ span: response.id, bytes: exchange.id }, ...bridgedEdits];
    if (isNotFound(line, response) && this.remainingServers.length > 0) {
      this.lastAnswer = splice(line, edits);
      return this.start(this.remainingServers);
    }
    const { catalog } = exchange.caller.view;
    if (response.result && currentRead)
      edits.push(...resourceEdits(line, response.result, { upstream: currentRead.upstream, catalog }));
    exchange.respond(splice(line, edits), currentRead?.connection);
  }

  onProgress(line: OwnedLine, token: Span): void {
    const { exchange } = this;
    const clientToken = exchange.params.get('_meta.progressToken');
    if (clientToken === undefined) return;
    const tokenBytes = exchange.line.subarray(clientToken.start, clientToken.end);
    exchange.sendProgress(splice(line, [{ span: token, bytes: tokenBytes }]), this.currentRead?.connection);
  }

  fail(failure: CallFailure): void {
    this.lastAnswer ??= failureAnswer(this.exchange, this.currentRead?.upstream.name ?? '', failure);
    this.start(this.remainingServers);
  }

  private abort(why: AbortReason): void {
    const { currentRead, exchange } = this;
    this.remainingServers = [];
    currentRead?.crossing?.onAbort?.();
    if (why.kind === 'cancelled')
      return currentRead?.connection.calls.cancel(currentRead.callId, why.line, why.requestId);
    currentRead?.connection.calls.abandon(currentRead.callId);
    if (why.kind === 'deadline')
      exchange.respond(failureAnswer(exchange, currentRead?.upstream.name ?? '', { kind: 'shut-down' }));
  }

  private bridgedEdits(
    pendingRead: PendingRead,
    line: BorrowedLine,
    response: ServerResponse,
  ): readonly Edit[] | undefined {
    const { crossing, connection } = pendingRead;
    if (crossing === undefined) return [];
    const resend = (request: OutgoingCall): void => {
      const callResult = connection.calls.sendCall(request, this);
      if (typeof callResult === 'number') pendingRead.callId = callResult;
      else this.fail(callResult);
    };
    const { exchange } = this;
    const finish = (answer: OutgoingLine): void => exchange.respond(answer);
    return crossing.onResponse({ exchange, connection, resend, finish }, line, response);
  }

  private nextServer(): Upstream | undefined {
    const [next, ...others] = this.remainingServers;
    this.remainingServers = others;
    return next;
  }

  /** Sends the request to one server. Returns false if it cannot be sent. */
  private readFrom(upstream: Upstream): boolean {
    const connection = upstream.connectionFor(this.exchange.caller);
    const { line, idSpan, params } = this.exchange;
    if (connection === undefined) {
      this.lastAnswer ??= unavailableAnswer(this.exchange, upstream);
      return false;
    }
    const { affinity: owners, bridges } = this.parts;
    const crossing = startCrossing(this.exchange, { upstream, connection, owners }, bridges);
    if (!this.exchange.isOpen) return true;
    const pendingRead: PendingRead = { upstream, connection, crossing, callId: 0 };
    this.currentRead = pendingRead;
    const progressToken = params.get('_meta.progressToken');
    const edits = crossing?.edits ?? [];
    const outgoingCall = { line, id: idSpan, progressToken, edits };
    const callResult = connection.calls.sendCall(outgoingCall, this);
    if (typeof callResult === 'number') {
      pendingRead.callId = callResult;
      crossing?.onSent?.(outgoingCall);
    } else this.lastAnswer ??= failureAnswer(this.exchange, upstream.name, callResult);
    return typeof callResult === 'number';
  }
}

function isNotFound(line: Buffer, { error }: ServerResponse): boolean {
  if (error === undefined) return false;
  const value: unknown = JSON.parse(line.toString('utf8', error.start, error.end));
  return isRecord(value) && NOT_FOUND_CODES.has(value['code']);
}
