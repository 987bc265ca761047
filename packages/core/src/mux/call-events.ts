import type { Clock } from '@mcpmux/kit';
import type { CallObserver, ObservedCall } from '../client/request/forward.js';
import type { CallEnded } from '../client/request/forwarded-call.js';
import { Allowance } from './allowance.js';
import type { MuxEvents } from './mux-events.js';
import type { Redactors } from './session-messages.js';
import { shownAnswer, shownRequest } from './shown-message.js';

/** The rate of calls whose events have session, client and size. These details are costly. */
export const DETAILED_RATE = { atOnce: 100, perSecond: 20 };
/** The rate of calls whose arguments and results are copied, which costs more than forwarding them. */
export const BODY_RATE = { atOnce: 50, perSecond: 5 };

/** Emits events when calls begin and end. Costs almost nothing without listeners. */
export class CallEvents implements CallObserver {
  private calls = 0;
  private readonly detailed = new Allowance(DETAILED_RATE);
  private readonly withBody = new Allowance(BODY_RATE);

  constructor(
    readonly audience: MuxEvents,
    private readonly clock: Clock,
    private readonly redactors: Pick<Redactors, 'current'>,
  ) {}

  began(server: string, tool: string, observed?: ObservedCall): CallEnded | undefined {
    const { audience: events, clock } = this;
    if (!events.isHeard) return undefined;
    this.calls += 1;
    const call = this.calls;
    const start = clock.now();
    const isDetailed =
      observed !== undefined && events.includesDetails !== false && this.detailed.take(start);
    const hasBody = isDetailed && events.includesDetails === true && this.withBody.take(start);
    const request = isDetailed
      ? shownRequest(observed, hasBody ? this.redactors.current() : undefined)
      : undefined;
    const layer = observed?.upstream.layer;
    const place = layer === undefined || layer.isShared ? undefined : { layer: layer.id };
    events.emit('call:start', { server, ...place, tool, call, ...request });
    return (ending, problem, line, result) => {
      const ms = Math.round((clock.now() - start) * 10) / 10;
      const isShown =
        observed !== undefined && line !== undefined && result !== undefined && request !== undefined;
      // A server can be added while the call runs, so the request's redactor can be too old.
      const redactor = isShown && 'arguments' in request ? this.redactors.current() : undefined;
      const answer = isShown ? shownAnswer(line, result, redactor) : undefined;
      const problemMember = problem === undefined ? undefined : { problem };
      events.emit('call:end', { server, ...place, tool, call, ms, ending, ...problemMember, ...answer });
    };
  }
}
