import type { Clock } from '../base/clock.js';
import type { CallObserver } from '../downstream/request/forward.js';
import type { CallEnded } from '../downstream/request/forwarded-call.js';
import type { MuxEvents } from './mux-events.js';

/** Tells listeners of calls as they begin and end. Costs next to nothing where nobody listens. */
export class CallEvents implements CallObserver {
  private calls = 0;

  constructor(
    readonly audience: MuxEvents,
    private readonly clock: Clock,
  ) {}

  began(server: string, tool: string): CallEnded | undefined {
    const { audience: events, clock } = this;
    if (!events.isHeard) return undefined;
    this.calls += 1;
    const call = this.calls;
    const start = clock.now();
    events.emit('call:start', { server, tool, call });
    return (ending, problem) => {
      const ms = Math.round((clock.now() - start) * 10) / 10;
      events.emit('call:end', { server, tool, call, ms, ending, ...(problem !== undefined && { problem }) });
    };
  }
}
