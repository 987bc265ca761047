/** The health of one run. `missed` is the number of pings without an answer since the last message from the server. */
export type HealthState =
  /** The run waits for the next check, at the end of the interval. */
  | { readonly kind: 'resting'; readonly missed: number }
  /** The server was silent for an interval, and must answer a ping. */
  | { readonly kind: 'asked'; readonly missed: number }
  /** Too many pings got no answer. */
  | { readonly kind: 'unresponsive'; readonly missed: number }
  /** The run has ended. */
  | { readonly kind: 'over' };

/** An event of a health check. */
export type HealthEvent =
  /** The interval has ended. `isAlive` is true if the server has shown a sign of life in it. */
  | { readonly kind: 'looked'; readonly isAlive: boolean }
  /** The ping was answered, by any message. */
  | { readonly kind: 'answered' }
  /** The timeout for the answer has passed. */
  | { readonly kind: 'missed' }
  | { readonly kind: 'ended' };

/** The state of a run that has just begun to serve. */
export const RESTING: HealthState = { kind: 'resting', missed: 0 };

/** Returns the state after `event`. An event that does not apply keeps the state. */
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
