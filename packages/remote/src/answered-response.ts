import type { IncomingMessage } from 'node:http';

import type { Clock, Timer } from '@mcpmux/kit';
import type { Flow } from './response-body.js';

/** How long a server may keep a request's stream open after its response (2025-11-25, transports), in milliseconds. */
const GRACE_MS = 1000;
/** The maximum number of streams in the grace period. A client may send calls faster than grace periods end. */
const MAX_WAITING_RESPONSES = 8;

/** HTTP responses that are still open after their JSON-RPC response has been delivered. Each occupies a socket. */
export class AnsweredResponses {
  private readonly waitingResponses = new Set<AnsweredResponse>();

  constructor(private readonly clock: Clock) {}

  /** Starts a response's grace period. If too many responses are in their grace period, destroys the oldest. */
  addWaiting(response: AnsweredResponse): Timer {
    this.waitingResponses.add(response);
    const [oldest] = this.waitingResponses;
    if (this.waitingResponses.size > MAX_WAITING_RESPONSES) oldest?.destroy();
    return this.clock.schedule(() => response.destroy(), GRACE_MS);
  }

  delete(response: AnsweredResponse): void {
    this.waitingResponses.delete(response);
  }
}

/** Destroys an HTTP response that the server leaves open after the request has been answered. */
export class AnsweredResponse {
  /** True if mcpmux has destroyed the response. */
  isDestroyed = false;
  private timer: Timer | undefined;
  private hasEnded = false;

  /** @param isAnswered returns true if this HTTP response has delivered the request's JSON-RPC response */
  constructor(
    private readonly response: IncomingMessage,
    private readonly isAnswered: () => boolean,
    private readonly parts: { readonly flow: Flow; readonly all: AnsweredResponses },
  ) {}

  /** Must be called when a message has arrived. Starts the grace period if the message was the JSON-RPC response. */
  checkAnswer(): void {
    void this.parts.flow.whenDelivered().then(() => this.startGracePeriod());
  }

  /** Must be called when the response has ended. */
  markEnded(): void {
    this.hasEnded = true;
    this.timer?.cancel();
    this.parts.all.delete(this);
  }

  /** Destroys the response. */
  destroy(): void {
    this.isDestroyed = true;
    this.response.destroy();
    this.markEnded();
  }

  private startGracePeriod(): void {
    if (!this.hasEnded && this.timer === undefined && this.isAnswered())
      this.timer = this.parts.all.addWaiting(this);
  }
}
