import type { RunFailure } from './link/run-failure.js';

/** One registered server's state. `since` is a time on the mux's clock, in milliseconds. */
export type UpstreamState =
  | ({ readonly generation: number; readonly since: number } & (
      | { readonly kind: 'starting' }
      /** `pid` is null if mcpmux did not start the process. */
      | { readonly kind: 'running'; readonly pid: number | null }
      | { readonly kind: 'crashed'; readonly failure: RunFailure }
      /** The server has not been started, or was stopped because it was not used. A request that needs it starts it. */
      | { readonly kind: 'idle' }
    ))
  | { readonly kind: 'removed' };

/** A server's state, as clients and people see it. */
export type StatusName = 'starting' | 'running' | 'crashed' | 'idle' | 'failed';

/**
 * Returns the state to show to clients and people. A server with an unusable config is `failed`, because it never ran.
 */
export function statusName(state: UpstreamState): StatusName {
  if (state.kind === 'removed') return 'crashed';
  return state.kind === 'crashed' && state.failure.kind === 'misconfigured' ? 'failed' : state.kind;
}

/** An event of a registered server. `at` is a time on the mux's clock, in milliseconds. */
export type UpstreamEvent =
  | ({ readonly generation: number; readonly at: number } & (
      | { readonly kind: 'start' }
      /** `swapped`: the run was started beside the previous generation's run and now replaces it. */
      | { readonly kind: 'ready' | 'swapped'; readonly pid: number | null }
      | { readonly kind: 'failed'; readonly failure: RunFailure }
    ))
  /** The server is not being used. Its run ends, or is not started. */
  | { readonly kind: 'sleep'; readonly at: number }
  | { readonly kind: 'remove' };

/**
 * Returns the state after `event`. An event that does not apply leaves the state unchanged. Most such events come from
 * earlier generations, and may arrive at any time after a reload.
 */
export function upstreamTransition(state: UpstreamState, event: UpstreamEvent): UpstreamState {
  if (state.kind === 'removed') return state;
  if (event.kind === 'remove') return { kind: 'removed' };
  if (event.kind === 'sleep') return idleState(state, event.at);
  const { generation, at: since } = event;
  const isNext = generation > state.generation;
  if (event.kind === 'start') return isNext ? { kind: 'starting', generation, since } : state;
  if (event.kind === 'swapped')
    return isNext && state.kind !== 'starting'
      ? { kind: 'running', generation, since, pid: event.pid }
      : state;
  if (generation !== state.generation || state.kind === 'crashed' || state.kind === 'idle') return state;
  if (event.kind === 'failed') return { kind: 'crashed', generation, since, failure: event.failure };
  return state.kind === 'starting' ? { kind: 'running', generation, since, pid: event.pid } : state;
}

/** Returns the idle state if the server is running or was never started. Otherwise returns the same state. */
function idleState(state: Exclude<UpstreamState, { kind: 'removed' }>, since: number): UpstreamState {
  const { kind, generation } = state;
  return kind === 'running' || generation === 0 ? { kind: 'idle', generation, since } : state;
}
