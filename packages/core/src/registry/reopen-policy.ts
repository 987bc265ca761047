import type { Clock } from '../base/clock.js';
import type { Logger } from '../base/logger.js';

/** A session that is lost this soon after one that was is not opened again: the server keeps none. In milliseconds. */
const STEADY_SESSION_MS = 60_000;

/** The sessions that a server at a url has forgotten. */
export class ReopenPolicy {
  /** When one was lost that was opened again. A reading of the clock. */
  private lostAt = -Infinity;

  constructor(
    private readonly server: string,
    private readonly components: { readonly clock: Clock; readonly logger: Logger },
  ) {}

  /** Whether the session that was lost now is to be opened again. */
  allows(): boolean {
    const now = this.components.clock.now();
    if (now - this.lostAt < STEADY_SESSION_MS) return false;
    this.lostAt = now;
    this.components.logger.log('warn', 'the session was lost and is opened again', { server: this.server });
    return true;
  }
}
