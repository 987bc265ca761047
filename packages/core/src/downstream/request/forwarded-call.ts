import type { ServerName } from '@mcpmux/namespace';

import { type Edit, type OutgoingLine, type RawId, type Span, splice, splicedLine } from '@mcpmux/wire';
import type { Clock, Timer } from '../../base/clock.js';

import type { PendingCall, ServerResponse } from '../../upstream/link/pending-call.js';
import type { Connection } from '../../upstream/link/connection.js';
import type { CallFailure } from '../../upstream/link/run-failure.js';
import type { CallEnding } from './call-observer.js';
import type { FailureAnswer } from './failure-answer.js';
import type { CancelNotification, InFlightRequest } from './in-flight-request.js';

/** What a call needs of the session that made it. */
export interface CallOwner {
  /** Sends the one answer to request `id`, unless it is not in flight any more. */
  answer(id: RawId, line: () => OutgoingLine): void;
  /** Sends a line that belongs to request `id` and does not answer it. */
  notify(id: RawId, line: () => Buffer): void;
  /** To be called after each line from `connection`: a client that cannot take more makes the server wait. */
  watchFlow(connection: Connection): void;
  /** Sends a line that belongs to no request in flight. */
  deliver(line: Buffer, connection: Connection): void;
}

/** Reads a result on its way to the client. Returns what has to be replaced in it. */
export type ResultReader = (line: Buffer, result: Span) => readonly Edit[];

/** What of a client's request has to come back with its answers, byte for byte, and what else its answer needs. */
export interface ForwardedRequest {
  readonly id: RawId;
  /** The client's progress token as JSON text, if it gave one. */
  readonly progressToken: Buffer | undefined;
  /** Answers in place of the server when that cannot. */
  readonly failure: FailureAnswer;
  /** Without one, a result is not looked at. */
  readonly readResult: ResultReader | undefined;
  /** Without one, the call may take as long as it takes. */
  readonly patience: CallPatience | undefined;
  /** The client has asked for a task: the answer is not the end of it. */
  readonly isTask: boolean;
}

/** How long a server may give no sign of life of a call. */
export interface CallPatience {
  readonly ms: number;
  readonly clock: Clock;
}

/** One client request on its way through one server: gives back the client's id and token, byte for byte. */
export class ForwardedCall implements PendingCall, InFlightRequest {
  readonly reader: object;
  /** The id under which the server knows the call; set once it was sent. */
  private callId = 0;
  private timer: Timer | undefined;
  private isAnswered = false;
  private ended: ((ending: CallEnding) => void) | undefined;

  constructor(
    private readonly owner: CallOwner,
    private readonly request: ForwardedRequest,
    private readonly server: ServerName,
    private readonly connection: Connection,
  ) {
    this.reader = owner;
  }

  /** @param ended is told once how it ended */
  sentAs(callId: number, ended?: (ending: CallEnding) => void): void {
    this.callId = callId;
    this.ended = ended;
    this.waitOn();
  }

  respond(line: Buffer, response: ServerResponse): void {
    this.timer?.cancel();
    const { id, readResult, isTask, progressToken } = this.request;
    const { result } = response;
    this.isAnswered = true;
    this.end(result === undefined ? 'error' : 'result');
    if (isTask && progressToken !== undefined && result !== undefined)
      this.connection.calls.followTask(this.callId, this);
    this.owner.answer(id, () => {
      const edits: Edit[] = [{ span: response.id, bytes: id }];
      if (readResult !== undefined && result !== undefined) edits.push(...readResult(line, result));
      return splicedLine(line, edits);
    });
    this.owner.watchFlow(this.connection);
  }

  progress(line: Buffer, token: Span): void {
    const { id, progressToken } = this.request;
    if (progressToken === undefined) return;
    if (this.isAnswered) {
      this.owner.deliver(splice(line, [{ span: token, bytes: progressToken }]), this.connection);
      return;
    }
    this.waitOn();
    this.owner.notify(id, () => splice(line, [{ span: token, bytes: progressToken }]));
    this.owner.watchFlow(this.connection);
  }

  fail(failure: CallFailure): void {
    this.timer?.cancel();
    this.end('failed');
    const { id } = this.request;
    this.owner.answer(id, () => this.request.failure(id, this.server, failure));
  }

  cancel({ line, requestId }: CancelNotification): void {
    this.timer?.cancel();
    this.end('cancelled');
    this.connection.calls.cancel(this.callId, line, requestId);
  }

  abandon(): void {
    this.timer?.cancel();
    this.end('cancelled');
    this.connection.calls.abandon(this.callId);
  }

  expire(): Buffer {
    this.abandon();
    return this.request.failure(this.request.id, this.server, { kind: 'shut-down' });
  }

  private end(ending: CallEnding): void {
    this.ended?.(ending);
    this.ended = undefined;
  }

  /** Begins to wait anew: the server has just been asked, or has given a sign of life. */
  private waitOn(): void {
    const { patience } = this.request;
    if (patience === undefined) return;
    const { ms, clock } = patience;
    this.timer?.cancel();
    this.timer = clock.schedule(() => {
      this.connection.calls.abandon(this.callId, `no sign of life for ${ms / 1000} s`);
      this.fail({ kind: 'timed-out', afterMs: ms });
    }, ms);
  }
}
