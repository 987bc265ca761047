/** The health of one run. `missed` counts pings without an answer since the last message of the server. */
export type HealthState =
  /** The next check is at the end of the interval. */
  | { readonly kind: 'resting'; readonly missed: number }
  /** The server was silent for an interval and has a ping to answer. */
  | { readonly kind: 'asked'; readonly missed: number }
  /** The server has left too many pings unanswered. */
  | { readonly kind: 'unresponsive'; readonly missed: number }
  /** The run has ended. */
  | { readonly kind: 'over' };

/** An event of a health check. */
export type HealthEvent =
  /** The interval is over; `isAlive` tells whether the server has sent anything in it. */
  | { readonly kind: 'looked'; readonly isAlive: boolean }
  /** The ping was answered, by whatever. */
  | { readonly kind: 'answered' }
  /** The time for the answer is over. */
  | { readonly kind: 'missed' }
  | { readonly kind: 'ended' };

/** A run that has just begun to serve. */
export const RESTING: HealthState = { kind: 'resting', missed: 0 };

/** The state after `event`. One that does not apply leaves it as it is. */
export function nextHealthState(state: HealthState, event: HealthEvent, maxMissed: number): HealthState {
  if (event.kind === 'ended') return { kind: 'over' };
  if (event.kind === 'looked') {
    if (state.kind !== 'resting') return state;
    return event.isAlive ? RESTING : { kind: 'asked', missed: state.missed };
  }
  if (state.kind !== 'asked') return state;
  if (event.kind === 'answered') return RESTING;
  const missed = state.missed + 1;
  return { kind: missed < maxMissed ? 'resting' : 'unresponsive', missed };
}
