import type { Clock } from '../base/clock.js';
import type { CallObserver, ObservedCall } from '../downstream/request/forward.js';
import type { CallEnded } from '../downstream/request/forwarded-call.js';
import type { MuxEvents } from './mux-events.js';
import { shownAnswer, shownRequest } from './shown-call.js';

/** Calls per second whose arguments and results are copied. */
export const MAX_BODIES_PER_SECOND = 50;

/** Tells listeners of calls as they begin and end. Costs next to nothing where nobody listens. */
export class CallEvents implements CallObserver {
  private calls = 0;
  /** How many calls are shown with their content in the second that ends at `secondEnds`. */
  private bodies = 0;
  private secondEnds = 0;

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
    const request = observed && events.wantsDetails ? shownRequest(observed, this.takesBody()) : undefined;
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

  /** Whether arguments and result of one more call may be copied. Reading them costs more than forwarding them. */
  private takesBody(): boolean {
    const now = this.clock.now();
    if (now >= this.secondEnds) {
      this.secondEnds = now + 1000;
      this.bodies = 0;
    }
    this.bodies += 1;
    return this.bodies <= MAX_BODIES_PER_SECOND;
  }
}
