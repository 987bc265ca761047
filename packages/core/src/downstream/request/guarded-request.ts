import { ErrorCode, errorLine, type OutgoingLine, type RawId } from '@mcpmux/wire';
import { messageOf } from '../../base/errors.js';
import { answerLine, LineAnswer } from '../../guards/answers.js';
import { runGuards } from '../../guards/guard-chain.js';
import { GuardRefusal } from '../../guards/guard-refusal.js';
import type { GuardAnswer, GuardContext, GuardHandler } from '../../guards/guard.js';
import type { Logger } from '../../base/logger.js';
import type { Outcome } from './client-request.js';
import type { CancelNotification, InFlightRequest } from './in-flight-request.js';

/** What a {@link GuardedRequest} needs to know of its request. */
export interface GuardedRequestInit {
  readonly id: RawId;
  readonly logger: Logger;
  /** Carries the request out, once the guards have let it through. */
  readonly carryOut: () => Outcome;
  /** Is called once, as soon as no answer of a server is awaited any more. */
  readonly over: () => void;
  /** Sends the one answer. Not called for a request that nobody wants answered. */
  readonly answer: (line: OutgoingLine) => void;
}

interface Waiting {
  readonly resolve: (answer: GuardAnswer) => void;
  readonly reject: (error: Error) => void;
}

/** One request on its way through guards, there and back. However they end, it gets one answer, or none after a cancellation. */
export class GuardedRequest implements InFlightRequest {
  private readonly abort = new AbortController();
  private isOver = false;
  private inner: InFlightRequest | undefined;
  private waiting: Waiting | undefined;

  constructor(private readonly init: GuardedRequestInit) {}

  /** Aborted when the request is over. */
  get signal(): AbortSignal {
    return this.abort.signal;
  }

  /** Brings the request through. Never rejects. */
  async run(guards: readonly GuardHandler[], context: GuardContext): Promise<void> {
    const line = await this.answerOf(guards, context);
    if (this.isOver) return;
    const { inner } = this;
    this.end();
    // A guard has answered before the server did: that need not go on.
    inner?.abandon();
    this.init.answer(line);
  }

  /** The answer of whoever carries the request out, for the guards. */
  answered(line: OutgoingLine): void {
    this.inner = undefined;
    this.waiting?.resolve(new LineAnswer(line));
    this.waiting = undefined;
  }

  cancel(notification: CancelNotification): void {
    const { inner } = this;
    this.end();
    inner?.cancel(notification);
  }

  abandon(): void {
    const { inner } = this;
    this.end();
    inner?.abandon();
  }

  expire(): Buffer {
    const { inner } = this;
    this.end();
    const message = 'mcpmux is shutting down before it could answer';
    return inner?.expire() ?? errorLine(this.init.id, { code: ErrorCode.InternalError, message });
  }

  private async answerOf(guards: readonly GuardHandler[], context: GuardContext): Promise<OutgoingLine> {
    const { id } = this.init;
    let own: GuardAnswer | undefined;
    try {
      const answer = await runGuards(guards, context, async () => {
        own = await this.carriedOut();
        return own;
      });
      // Only its own answer has its id already.
      return answer === own && answer instanceof LineAnswer ? answer.line : answerLine(id, answer);
    } catch (error) {
      return errorLine(id, this.errorOf(error));
    }
  }

  private carriedOut(): Promise<GuardAnswer> {
    return new Promise((resolve, reject) => {
      if (this.isOver) return reject(over());
      this.waiting = { resolve, reject };
      const outcome = this.init.carryOut();
      if ('answer' in outcome) return this.answered(outcome.answer);
      // Unless it was answered on the spot.
      if (this.waiting !== undefined) this.inner = outcome.inFlight;
    });
  }

  private errorOf(error: unknown): { code: ErrorCode; message: string; data?: unknown } {
    if (error instanceof GuardRefusal) {
      const { code, message, data } = error;
      return { code, message, data };
    }
    const problem = messageOf(error);
    // What a guard throws because its request is over is no defect, and nobody will read it.
    if (!this.isOver) this.init.logger.log('error', 'a guard failed', { problem });
    return { code: ErrorCode.InternalError, message: `A guard failed inside mcpmux: ${problem}` };
  }

  private end(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.init.over();
    this.inner = undefined;
    const { waiting } = this;
    this.waiting = undefined;
    this.abort.abort();
    waiting?.reject(over());
  }
}

function over(): Error {
  return new Error('the request is over');
}
