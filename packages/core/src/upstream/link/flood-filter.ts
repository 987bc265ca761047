import type { Clock } from '../../base/clock.js';
import type { Logger } from '../../base/logger.js';
import { TokenBucket } from './token-bucket.js';

/** What is lost without harm when there is too much of it. Nothing else is ever dropped. */
const FLOODABLE = ['notifications/message', 'notifications/progress'] as const;

/** What a {@link FloodFilter} works with. */
export interface FloodFilterComponents {
  readonly clock: Clock;
  readonly logger: Logger;
  /** For the log. */
  readonly server: string;
}

/** Lets so many log messages and so many progress notifications of one server through in a second. */
export class FloodFilter {
  /** How many were not let through. */
  dropped = 0;
  private readonly gates: ReadonlyMap<string, Gate>;

  constructor(
    private readonly perSecond: number,
    private readonly components: FloodFilterComponents,
  ) {
    const rate = { burst: perSecond, perSecond };
    const gate = (): Gate => ({ bucket: new TokenBucket(rate, components.clock), isFlooded: false });
    // One each: a flood of logs must not cost anybody the progress of a call.
    this.gates = new Map(FLOODABLE.map((method) => [method, gate()]));
  }

  /** Whether a notification is passed on. */
  admits(method: string): boolean {
    const gate = this.gates.get(method);
    if (gate === undefined) return true;
    if (gate.isFlooded && gate.bucket.isFull) gate.isFlooded = false;
    if (gate.bucket.take()) return true;
    this.dropped += 1;
    if (!gate.isFlooded) this.warn(method);
    gate.isFlooded = true;
    return false;
  }

  private warn(method: string): void {
    const { logger, server } = this.components;
    const { perSecond } = this;
    logger.log('warn', 'a server floods its clients; what is too much is dropped and counted', {
      server,
      method,
      perSecond,
    });
  }
}

interface Gate {
  readonly bucket: TokenBucket;
  /** Until a pause of a second, which ends a flood. */
  isFlooded: boolean;
}
