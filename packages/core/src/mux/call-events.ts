import type { Clock } from '../base/clock.js';
import type { CallObserver, ObservedCall } from '../downstream/request/forward.js';
import type { CallEnded } from '../downstream/request/forwarded-call.js';
import type { MuxEvents } from './mux-events.js';
import { shownAnswer, shownRequest } from './shown-call.js';

/** Tells listeners of calls as they begin and end. Costs next to nothing where nobody listens. */
export class CallEvents implements CallObserver {
  private calls = 0;

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
    const request = observed && events.isRead ? shownRequest(observed, events.wantsBodies) : undefined;
    events.emit('call:start', { server, tool, call, ...request });
    return (ending, problem, line, result) => {
      const ms = Math.round((clock.now() - start) * 10) / 10;
      const isShown = observed !== undefined && line !== undefined && result !== undefined && events.isRead;
      const answer = isShown ? shownAnswer(observed, line, result, events.wantsBodies) : undefined;
      const why = problem === undefined ? undefined : { problem };
      events.emit('call:end', { server, tool, call, ms, ending, ...why, ...answer });
    };
  }
}
