import { messageOf } from '@mcpmux/kit';
import { ErrorCode, errorLine, type OutgoingLine, type RawId, type RpcError } from '@mcpmux/wire';
import { answerLine, LineAnswer } from '../../guards/answers.js';
import { runGuards } from '../../guards/guard-list.js';
import type { GuardAnswer, GuardHandler } from '../../guards/guard.js';
import { GuardRefusal } from '../../guards/guard-refusal.js';
import type { Connection } from '../../server/link/connection.js';
import type { Asker } from '../asks/asker.js';
import type { Caller } from '../caller/caller.js';
import { Exchange, GONE, type AbortReason, type ExchangeOwner } from './exchange.js';
import { RequestContext, type GuardParts } from './request-context.js';

/** The outcome of a request's guards: the changed request, if any, and the tool for which the call was approved. */
type PassedRequest = Pick<RequestContext, 'replacement' | 'approvedFor'>;

interface PendingAnswer {
  readonly resolve: (answer: GuardAnswer) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Runs an exchange through guards. The handler works on an inner exchange, and its answer passes through the guards.
 * The outer exchange gets exactly one answer, or none if it is cancelled.
 */
export class GuardedExchange implements ExchangeOwner {
  readonly caller: Caller;
  private isEnded = false;
  private inner: Exchange | undefined;
  private pendingAnswer: PendingAnswer | undefined;
  private answerSource: Connection | undefined;
  private controller: AbortController | undefined;

  constructor(
    private readonly outer: Exchange,
    private readonly parts: GuardParts,
  ) {
    this.caller = outer.caller;
    outer.onAbort((why) => this.end(why));
  }

  get asker(): Asker | undefined {
    return this.outer.asker;
  }

  /** Aborts when the exchange ends. */
  get signal(): AbortSignal {
    this.controller ??= new AbortController();
    if (this.isEnded) this.controller.abort();
    return this.controller.signal;
  }

  /**
   * Runs the guards, outermost first. A guard that awaits nothing runs synchronously, in request order. Never rejects.
   */
  async run(guards: readonly GuardHandler[]): Promise<void> {
    const line = await this.obtainAnswer(guards);
    if (this.isEnded) return;
    // If a guard answered without waiting for the server, this cancels the server's work.
    this.end(GONE);
    this.outer.respond(line, this.answerSource);
  }

  /** Passes the handler's answer to the guards or, once the exchange has ended, directly to the outer exchange. */
  onAnswer(_: RawId, line: OutgoingLine, from: Connection | undefined): void {
    if (this.isEnded) return this.outer.respond(line, from);
    this.inner = undefined;
    this.answerSource = from;
    this.pendingAnswer?.resolve(new LineAnswer(line));
    this.pendingAnswer = undefined;
  }

  sendRelated(line: OutgoingLine, from: Connection | undefined): void {
    this.outer.sendRelated(line, from);
  }

  private async obtainAnswer(guards: readonly GuardHandler[]): Promise<OutgoingLine> {
    const { id } = this.outer;
    let handlerAnswer: GuardAnswer | undefined;
    try {
      const context = new RequestContext(this.outer, this.parts, this);
      const answer = await runGuards(guards, context, {
        applyChange: (seen, change) => seen.withChange(change),
        carryOut: async (seen) => {
          handlerAnswer = await this.handleInner(seen);
          return handlerAnswer;
        },
      });
      // The handler's own line already has the correct id. Any other answer still needs it.
      return answer === handlerAnswer && answer instanceof LineAnswer ? answer.line : answerLine(id, answer);
    } catch (error) {
      return this.failureLine(error);
    }
  }

  private handleInner(request: PassedRequest): Promise<GuardAnswer> {
    return new Promise((resolve, reject) => {
      if (this.isEnded) return reject(endedError());
      this.pendingAnswer = { resolve, reject };
      this.inner = this.createInnerExchange(request);
      this.parts.handle(this.inner);
    });
  }

  private createInnerExchange({ replacement, approvedFor }: PassedRequest): Exchange {
    const { id, method, line: outerLine } = this.outer;
    const { line, idSpan, params } = replacement ?? this.outer;
    const inner = new Exchange(this, id, line, { id: idSpan, params, method });
    inner.isReplaced = replacement?.isInner ?? this.outer.isReplaced;
    if (replacement !== undefined) inner.originalLine = outerLine;
    inner.approvedFor = approvedFor;
    return inner;
  }

  private failureLine(error: unknown): OutgoingLine {
    const { id } = this.outer;
    try {
      return errorLine(id, this.rpcErrorOf(error));
    } catch (unwritable) {
      // The data of a guard's refusal may not be serializable.
      return errorLine(id, this.rpcErrorOf(unwritable));
    }
  }

  private rpcErrorOf(error: unknown): RpcError {
    if (error instanceof GuardRefusal) {
      const { code, message, data } = error;
      return { code, message, data };
    }
    const problem = messageOf(error);
    // An error that a guard throws because its request has ended is not a defect, and no client will read it.
    if (!this.isEnded) this.parts.logger.log('error', 'a guard failed', { problem });
    return { code: ErrorCode.InternalError, message: `A guard failed inside mcpmux: ${problem}` };
  }

  private end(why: AbortReason): void {
    if (this.isEnded) return;
    this.isEnded = true;
    const { inner, pendingAnswer } = this;
    this.inner = undefined;
    this.pendingAnswer = undefined;
    this.controller?.abort();
    pendingAnswer?.reject(endedError());
    inner?.abort(why);
  }
}

function endedError(): Error {
  return new Error('the request is over');
}
