import { splitTaskId } from '@mcpmux/namespace';

import { type BorrowedLine, type Edit, type OwnedLine, type Span, splice, splicedLine } from '@mcpmux/wire';
import type { Clock, Timer } from '../../base/clock.js';
import type { Logger } from '../../base/logger.js';
import type { Connection } from '../../upstream/link/connection.js';
import type { PendingCall, ServerResponse } from '../../upstream/link/pending-call.js';
import { RELATED_TASK_PATH } from '../../upstream/link/server-paths.js';
import type { CallFailure } from '../../upstream/link/run-failure.js';
import type { Upstream } from '../../upstream/upstream.js';
import type { Abort, Exchange } from './exchange.js';
import { failureAnswer } from './failure-answer.js';
import type { ResultReader } from './result-reader.js';
import { whenAwake } from './when-awake.js';

/**
 * How a call ended for its client: with a result, with an error of the server, without an answer of the server, or not at
 * all since the client does not want it any more.
 */
export type CallEnding = 'result' | 'error' | 'failed' | 'cancelled';

/** Is told of every tool call that is sent to a server. */
export interface CallObserver {
  /** Tells whether anybody wants to know of calls. */
  readonly audience: { readonly isHeard: boolean };
  /**
   * A call was sent.
   *
   * @param tool as its server calls it
   * @returns is called once, when it has ended; undefined when nobody wants to know
   */
  began(server: string, tool: string): ((ending: CallEnding) => void) | undefined;
}

/** How a request is forwarded. */
export interface Forwarding {
  /** Replacements in the request beside its id and progress token. */
  readonly edits?: readonly Edit[];
  /** Without one, a result is not looked at. */
  readonly readResult?: ResultReader | undefined;
  /** The name of the tool or prompt, or the URI, for the log. */
  readonly subject?: string;
}

/** What {@link forward} works with. */
export interface ForwardParts {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly calls?: CallObserver | undefined;
  /** Handles an exchange by its method. */
  readonly handle: (exchange: Exchange) => void;
}

/** Forwards a request to a server; the answer of the server is the answer of the exchange. */
export function forward(
  exchange: Exchange,
  upstream: Upstream,
  parts: ForwardParts,
  { edits = [], readResult, subject }: Forwarding = {},
): void {
  const { connection, name: server } = upstream;
  if (connection === undefined) return void whenAwake(exchange, upstream, parts.handle);
  const { line, idSpan, params, method } = exchange;
  const { clock, calls, logger } = parts;
  const call = new ForwardedCall(exchange, { upstream, connection, readResult, clock });
  const progressToken = params.get('_meta.progressToken');
  const replaced = params.has(RELATED_TASK_PATH) ? [...edits, ...relatedTaskEdit(exchange)] : edits;
  const sent = connection.calls.call({ line, id: idSpan, progressToken, edits: replaced }, call);
  if (typeof sent !== 'number') return exchange.respond(failureAnswer(exchange, server, sent));
  // Only an idle timeout looks at the time of the last use.
  if (upstream.config.idleTimeoutMs !== undefined) exchange.caller.layer.supervisorOf(upstream)?.used();
  const isTool = method === 'tools/call';
  const ended = isTool && calls?.audience.isHeard ? calls.began(server, subject ?? '') : undefined;
  call.sentAs(sent, ended);
  if (!logger.enabled('debug')) return;
  const what = isTool ? { tool: subject } : { method, ...(subject !== undefined && { subject }) };
  logger.log('debug', 'call', { server, ...what, call: sent });
}

function relatedTaskEdit(exchange: Exchange): readonly Edit[] {
  const task = exchange.text(RELATED_TASK_PATH);
  const parts = task && splitTaskId(task.text);
  return task && parts ? [{ span: task.span, bytes: JSON.stringify(parts.local) }] : [];
}

/** Where a call goes, and who reads its result. */
interface ForwardedCallInit {
  readonly upstream: Upstream;
  /** The run of the server that is called. */
  readonly connection: Connection;
  readonly readResult: ResultReader | undefined;
  readonly clock: Clock;
}

/** One exchange on its way through one server: gives back the client's id and token, byte for byte. */
class ForwardedCall implements PendingCall {
  /** The client's progress token as JSON text, if it gave one. */
  private readonly progressToken: Buffer | undefined;
  /** The client has asked for a task: the answer is not the end of it. */
  private readonly isTask: boolean;
  /** The id under which the server knows the call; set once it was sent. */
  private callId = 0;
  private timer: Timer | undefined;
  private ended: ((ending: CallEnding) => void) | undefined;

  constructor(
    readonly exchange: Exchange,
    private readonly init: ForwardedCallInit,
  ) {
    const { line, params } = exchange;
    const token = params.get('_meta.progressToken');
    // A copy: the token is needed for as long as the call takes, the rest of the line is not.
    this.progressToken = token && Buffer.from(line.subarray(token.start, token.end));
    this.isTask = params.has('task');
  }

  /** @param ended is told once how the call ended */
  sentAs(callId: number, ended: ((ending: CallEnding) => void) | undefined): void {
    this.callId = callId;
    this.ended = ended;
    this.exchange.release((why) => this.abort(why));
    if (this.init.upstream.config.callTimeoutMs !== undefined) this.restartTimer();
  }

  respond(line: BorrowedLine, response: ServerResponse): void {
    const { exchange, progressToken } = this;
    const { connection, readResult, upstream } = this.init;
    const { result } = response;
    this.end(result === undefined ? 'error' : 'result');
    if (this.isTask && progressToken !== undefined && result !== undefined)
      connection.calls.followTask(this.callId, this);
    const edits: Edit[] = [{ span: response.id, bytes: exchange.id }];
    if (readResult !== undefined && result !== undefined)
      edits.push(...readResult(line, result, upstream, exchange.caller.view.catalog));
    exchange.respond(splicedLine(line, edits), connection);
  }

  /** Progress goes on after the answer when that was a task. */
  progress(line: OwnedLine, token: Span): void {
    const { exchange, progressToken } = this;
    if (progressToken === undefined) return;
    if (exchange.isOpen) this.restartTimer();
    const { connection } = this.init;
    exchange.caller.send(splice(line, [{ span: token, bytes: progressToken }]), connection);
  }

  fail(failure: CallFailure): void {
    this.end('failed');
    this.respondFailure(failure);
  }

  private abort(why: Abort): void {
    this.end('cancelled');
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
    this.timer?.cancel();
    this.ended?.(ending);
    this.ended = undefined;
  }

  /** The server got the call, or sent progress: the time limit starts again. */
  private restartTimer(): void {
    const { upstream, clock, connection } = this.init;
    const { callTimeoutMs: ms } = upstream.config;
    if (ms === undefined) return;
    this.timer?.cancel();
    this.timer = clock.schedule(() => {
      connection.calls.abandon(this.callId, `no response and no progress for ${ms / 1000} s`);
      this.fail({ kind: 'timed-out', afterMs: ms });
    }, ms);
  }
}
