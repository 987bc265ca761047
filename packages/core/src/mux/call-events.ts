import type { Clock } from '../base/clock.js';
import type { CallObserver, ObservedCall } from '../downstream/request/forward.js';
import type { CallEnded } from '../downstream/request/forwarded-call.js';
import type { MuxEvents } from './mux-events.js';
import { shownAnswer, shownRequest } from './shown-call.js';

/** Details of calls are told of the first calls in each window, so that many calls cost no more than few. */
const WINDOW_MS = 100;
/** Calls in a window of which a reader learns session, client and size. */
export const MAX_DETAILED = 20;
/** Those of them whose arguments and results are copied: reading them costs more than forwarding them. */
export const MAX_WITH_BODY = 5;

/** Tells listeners of calls as they begin and end. Costs next to nothing where nobody listens. */
export class CallEvents implements CallObserver {
  private calls = 0;
  /** Calls with details in the window that ends at `windowEnds`. */
  private detailed = 0;
  private windowEnds = 0;

  constructor(
    readonly audience: MuxEvents,
    private readonly clock: Clock,
  ) {}

  began(server: string, tool: string, observed?: ObservedCall): CallEnded | undefined {
    const { audience: events, clock } = this;
    if (!events.isHeard) return undefined;
    this.calls += 1;
    const call = this.calls;
    const start = clock.now();
    const isDetailed = observed !== undefined && events.wantsDetails && this.isFirst(start);
    const request = isDetailed ? shownRequest(observed, this.detailed <= MAX_WITH_BODY) : undefined;
    events.emit('call:start', { server, tool, call, ...request });
    return (ending, problem, line, result) => {
      const ms = Math.round((clock.now() - start) * 10) / 10;
      const isShown =
        observed !== undefined && line !== undefined && result !== undefined && request !== undefined;
      const answer = isShown ? shownAnswer(observed, line, result, 'arguments' in request) : undefined;
      const why = problem === undefined ? undefined : { problem };
      events.emit('call:end', { server, tool, call, ms, ending, ...why, ...answer });
    };
  }

  /** Whether a call is among the first of its window. */
  private isFirst(now: number): boolean {
    if (now >= this.windowEnds) {
      this.windowEnds = now + WINDOW_MS;
      this.detailed = 0;
    }
    this.detailed += 1;
    return this.detailed <= MAX_DETAILED;
  }
}
