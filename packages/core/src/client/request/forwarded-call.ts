import type { Clock, Timer } from '@mcpmux/kit';
import {
  type BorrowedLine,
  type Edit,
  type OutgoingLine,
  type OwnedLine,
  type Span,
  splice,
  splicedLine,
} from '@mcpmux/wire';
import { isStreams } from '../../server/config/server-config.js';
import type { OutgoingCall } from '../../server/link/calls.js';
import type { Connection } from '../../server/link/connection.js';
import type { PendingCall, ServerResponse } from '../../server/link/pending-call.js';
import type { CallFailure } from '../../server/link/run-failure.js';
import type { Upstream } from '../../server/upstream.js';
import type { Crossing, CrossingCall } from './crossing.js';
import type { AbortReason, Exchange } from './exchange.js';
import { failureAnswer } from './failure-answer.js';
import type { ResultReader } from './result-reader.js';
import type { CatalogView } from '../../catalog/catalog-view.js';

/** How a call ended: with a result, with an error response, without a response, or because the exchange was aborted. */
export type CallEnding = 'result' | 'error' | 'failed' | 'cancelled';

/** The spans of the result or the error in a response line. */
export interface AnswerSpans {
  readonly result?: Span | undefined;
  readonly error?: Span | undefined;
}

/** Called once when a call has ended, with the response if the server has sent one. The line is borrowed. */
export type CallEndListener = (ending: CallEnding, line?: Buffer, answer?: AnswerSpans) => void;

/** The dependencies of a {@link ForwardedCall}. */
export interface ForwardedCallInit {
  readonly upstream: Upstream;
  readonly connection: Connection;
  /** Called in this order, after the crossing. When absent, the result is not read. */
  readonly readers: readonly ResultReader[] | undefined;
  readonly clock: Clock;
  readonly crossing: Crossing | undefined;
}

const NO_READERS: readonly ResultReader[] = [];

/** One exchange that is forwarded to a server. Restores the client's id and progress token in the server's messages. */
export class ForwardedCall implements PendingCall, CrossingCall {
  /** The client's progress token as JSON text, if present. */
  private readonly progressToken: Buffer | undefined;
  /** True if the client called the tool as a task, which continues after the answer. */
  private readonly requestsTask: boolean;
  /** The id under which the call was sent to the server. */
  private callId = 0;
  private timer: Timer | undefined;
  private onEnd: CallEndListener | undefined;

  constructor(
    readonly exchange: Exchange,
    private readonly init: ForwardedCallInit,
  ) {
    const { line, params } = exchange;
    const token = params.get('_meta.progressToken');
    // A copy, so that the token does not retain the whole line during the call.
    this.progressToken = token && Buffer.from(line.subarray(token.start, token.end));
    this.requestsTask = params.has('task');
  }

  markSent(request: OutgoingCall, callId: number, onEnd: CallEndListener | undefined): void {
    this.callId = callId;
    this.init.crossing?.onSent?.(request);
    this.onEnd = onEnd;
    this.exchange.release((why) => this.abort(why));
    if (this.init.upstream.config.callTimeoutMs !== undefined) this.restartTimer();
  }

  get upstream(): Upstream {
    return this.init.upstream;
  }

  get connection(): Connection {
    return this.init.connection;
  }

  get catalog(): CatalogView {
    return this.exchange.caller.view.catalog;
  }

  get isBridged(): boolean {
    return this.init.crossing !== undefined;
  }

  resend(request: OutgoingCall): void {
    this.connection.calls.suspendedCalls.delete(this);
    const callResult = this.connection.calls.sendCall(request, this);
    if (typeof callResult !== 'number') return this.fail(callResult);
    this.callId = callResult;
    this.restartTimer();
  }

  finish(line: OutgoingLine): void {
    this.end('error');
    this.exchange.respond(line);
  }

  onResponse(line: BorrowedLine, response: ServerResponse): void {
    const { exchange, progressToken } = this;
    const { connection, readers = NO_READERS, crossing } = this.init;
    const bridgedEdits = crossing === undefined ? [] : crossing.onResponse(this, line, response);
    if (bridgedEdits === undefined) {
      // The server may be waiting for the client's input, so the time limit is suspended.
      this.timer?.cancel();
      // If the exchange is closed, the crossing has answered it. If it is open, the call continues.
      if (exchange.isOpen) connection.calls.suspendedCalls.add(this);
      else this.end('result');
      return;
    }
    const { result } = response;
    this.onEnd?.(result === undefined ? 'error' : 'result', line, response);
    this.onEnd = undefined;
    this.timer?.cancel();
    if (this.requestsTask && progressToken !== undefined && result !== undefined)
      connection.calls.followTask(this.callId, this);
    const edits: Edit[] = [{ span: response.id, bytes: exchange.id }, ...bridgedEdits];
    if (result !== undefined) for (const reader of readers) edits.push(...reader(line, result, this));
    exchange.respond(splicedLine(line, edits), connection);
  }

  /** Forwards progress, even after the answer if the answer created a task. */
  onProgress(line: OwnedLine, token: Span): void {
    const { exchange, progressToken } = this;
    if (exchange.isOpen) this.restartTimer();
    const { connection, crossing } = this.init;
    if (progressToken === undefined || crossing?.onProgress?.(line) === false) return;
    exchange.sendRelated(splice(line, [{ span: token, bytes: progressToken }]), connection);
  }

  fail(failure: CallFailure): void {
    this.end('failed');
    this.respondFailure(failure);
  }

  private abort(why: AbortReason): void {
    this.end('cancelled');
    this.init.crossing?.onAbort?.();
    const { connection } = this.init;
    if (why.kind === 'cancelled') return connection.calls.cancel(this.callId, why.line, why.requestId);
    connection.calls.abandon(this.callId);
    if (why.kind === 'deadline') this.respondFailure({ kind: 'shut-down' });
  }

  private respondFailure(failure: CallFailure): void {
    const { exchange } = this;
    exchange.respond(failureAnswer(exchange, this.init.upstream.name, failure));
  }

  private end(ending: CallEnding): void {
    this.connection.calls.suspendedCalls.delete(this);
    this.timer?.cancel();
    this.onEnd?.(ending);
    this.onEnd = undefined;
  }

  private restartTimer(): void {
    const { upstream, clock, connection } = this.init;
    const { config } = upstream;
    const { callTimeoutMs: ms } = config;
    if (ms === undefined) return;
    this.timer?.cancel();
    this.timer = clock.schedule(() => {
      if (isStreams(config) && config.late !== undefined) {
        config.late();
        return this.restartTimer();
      }
      connection.calls.abandon(this.callId, `no response and no progress for ${ms / 1000} s`);
      this.fail({ kind: 'timed-out', afterMs: ms });
    }, ms);
  }
}
