import type { IncomingMessage } from 'node:http';

import type { Clock, Timer } from '@mcpmux/kit';
import type { Flow } from './response-body.js';

/** A server should end the stream of a request after its answer (2025-11-25, transports), and has this time to do so. */
const GRACE_MS = 1000;

/** Gives up a response that its server keeps open after the answer: each would keep a socket. */
export class AnsweredResponse {
  /** The response was given up. */
  isLeft = false;
  private timer: Timer | undefined;
  private isOver = false;

  /** @param isAnswered whether the answer to the request of the response was delivered */
  constructor(
    private readonly response: IncomingMessage,
    private readonly isAnswered: () => boolean,
    private readonly parts: { readonly clock: Clock; readonly flow: Flow },
  ) {}

  /** A message has come. */
  look(): void {
    void this.parts.flow.whenDelivered().then(() => this.delivered());
  }

  /** The response has ended. */
  end(): void {
    this.isOver = true;
    this.timer?.cancel();
  }

  private delivered(): void {
    if (this.isOver || this.timer !== undefined || !this.isAnswered()) return;
    this.timer = this.parts.clock.schedule(() => {
      this.isLeft = true;
      this.response.destroy();
    }, GRACE_MS);
  }
}
