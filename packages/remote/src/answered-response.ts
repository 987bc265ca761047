import type { IncomingMessage } from 'node:http';

import type { Clock, Timer } from '@mcpmux/kit';
import type { Flow } from './response-body.js';

/** The time that a server has to end the stream of a request after its response (2025-11-25, transports). */
const GRACE_MS = 1000;
/**
 * The maximum number of streams in this grace period at once, because a client can call faster than the period passes.
 */
const MAX_WAITING = 8;

/** Answered responses that their servers have not ended yet. Each response keeps a socket open. */
export class AnsweredResponses {
  private readonly waiting = new Set<AnsweredResponse>();

  constructor(private readonly clock: Clock) {}

  /**
   * Starts the grace period of a response. If there are too many, the response that has waited longest is destroyed.
   */
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

/** Destroys a response that its server keeps open once the request has been answered. */
export class AnsweredResponse {
  /** True if this side destroyed the response. */
  isLeft = false;
  private timer: Timer | undefined;
  private isOver = false;

  /** @param isAnswered returns true if the answer to the request of this response has been delivered */
  constructor(
    private readonly response: IncomingMessage,
    private readonly isAnswered: () => boolean,
    private readonly parts: { readonly flow: Flow; readonly all: AnsweredResponses },
  ) {}

  /** Called when a message has arrived. Checks if the answer has been delivered. */
  look(): void {
    void this.parts.flow.whenDelivered().then(() => this.delivered());
  }

  /** Called when the response has ended. */
  end(): void {
    this.isOver = true;
    this.timer?.cancel();
    this.parts.all.delete(this);
  }

  /** Destroys the response from this side. */
  leave(): void {
    this.isLeft = true;
    this.response.destroy();
    this.end();
  }

  private delivered(): void {
    if (!this.isOver && this.timer === undefined && this.isAnswered()) this.timer = this.parts.all.add(this);
  }
}
