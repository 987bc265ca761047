import type { RestartDecision } from './restart-policy.js';

/** Where the restarts of one server stand. Times are readings of one clock, in milliseconds. */
export type RestartState =
  /** It runs, starts for another reason, or is left alone. */
  | { readonly kind: 'idle' }
  /** It starts again when its delay is over. */
  | { readonly kind: 'waiting' }
  /** It ended too often. A request that needs it after a while starts it once more. */
  | { readonly kind: 'given-up'; readonly since: number }
  /** Half open: it was given up, and starts because a request needs it. */
  | { readonly kind: 'trying' };

/** What happens to a server that restarts by itself. */
export type RestartEvent =
  | { readonly kind: 'starts' }
  | { readonly kind: 'runs' }
  | { readonly kind: 'ended'; readonly decision: RestartDecision; readonly at: number }
  /** A request has come for it. */
  | { readonly kind: 'needed'; readonly at: number; readonly retryAfterMs: number };

/** Nothing is planned. */
export const IDLE: RestartState = { kind: 'idle' };

/** The state after `event`. One that does not apply leaves it as it is. */
export function nextRestartState(state: RestartState, event: RestartEvent): RestartState {
  switch (event.kind) {
    case 'starts':
      return state.kind === 'trying' ? state : IDLE;
    case 'runs':
      return IDLE;
    case 'ended':
      return afterEnd(state, event.decision, event.at);
    case 'needed':
      return state.kind === 'given-up' && event.at - state.since >= event.retryAfterMs
        ? { kind: 'trying' }
        : state;
  }
}

function afterEnd(state: RestartState, decision: RestartDecision, at: number): RestartState {
  if (decision.kind === 'leave') return IDLE;
  if (decision.kind === 'give-up' || state.kind === 'trying') return { kind: 'given-up', since: at };
  return { kind: 'waiting' };
}
