import type { IncomingMessage } from 'node:http';

import type { Clock, Timer } from '@mcpmux/kit';
import type { Flow } from './response-body.js';

/** A server should end the stream of a request after its answer (2025-11-25, transports), and has this time to do so. */
const GRACE_MS = 1000;
/** Streams that may use that time at once: a client can call faster than it passes. */
const MAX_WAITING = 8;

/** Answered responses whose servers have not ended them yet: each keeps a socket. */
export class AnsweredResponses {
  private readonly waiting = new Set<AnsweredResponse>();

  constructor(private readonly clock: Clock) {}

  /** Gives the server its time to end a response. The one that has waited longest is left when there are too many. */
  add(response: AnsweredResponse): Timer {
    this.waiting.add(response);
    const [longest] = this.waiting;
    if (this.waiting.size > MAX_WAITING) longest?.leave();
    return this.clock.schedule(() => response.leave(), GRACE_MS);
  }

  delete(response: AnsweredResponse): void {
    this.waiting.delete(response);
  }
}

/** Gives up a response that its server keeps open after the answer. */
export class AnsweredResponse {
  /** The response was given up. */
  isLeft = false;
  private timer: Timer | undefined;
  private isOver = false;

  /** @param isAnswered whether the answer to the request of the response was delivered */
  constructor(
    private readonly response: IncomingMessage,
    private readonly isAnswered: () => boolean,
    private readonly parts: { readonly flow: Flow; readonly all: AnsweredResponses },
  ) {}

  /** A message has come. */
  look(): void {
    void this.parts.flow.whenDelivered().then(() => this.delivered());
  }

  /** The response has ended. */
  end(): void {
    this.isOver = true;
    this.timer?.cancel();
    this.parts.all.delete(this);
  }

  /** Ends the response from this side. */
  leave(): void {
    this.isLeft = true;
    this.response.destroy();
    this.end();
  }

  private delivered(): void {
    if (!this.isOver && this.timer === undefined && this.isAnswered()) this.timer = this.parts.all.add(this);
  }
}
