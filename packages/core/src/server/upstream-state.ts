import type { RunFailure } from './link/run-failure.js';

/** Where one registered server stands. `since` is a reading of the mux's clock, in milliseconds. */
export type UpstreamState =
  | ({ readonly generation: number; readonly since: number } & (
      | { readonly kind: 'starting' }
      /** `pid` is null for a server at a url. */
      | { readonly kind: 'running'; readonly pid: number | null }
      | { readonly kind: 'crashed'; readonly failure: RunFailure }
      /** Not started yet, or stopped since nobody used it: what needs it starts it. */
      | { readonly kind: 'idle' }
    ))
  | { readonly kind: 'removed' };

/** The state of a server, as readers get it. */
export type StatusName = 'starting' | 'running' | 'crashed' | 'idle' | 'failed';

/** A server that never ran because its configuration cannot be used has `failed`: it did not crash. */
export function statusName(state: UpstreamState): StatusName {
  if (state.kind === 'removed') return 'crashed';
  return state.kind === 'crashed' && state.failure.kind === 'misconfigured' ? 'failed' : state.kind;
}

/** An event of a registered server. `at` is a reading of the mux's clock, in milliseconds. */
export type UpstreamEvent =
  | ({ readonly generation: number; readonly at: number } & (
      | { readonly kind: 'start' }
      /** `swapped`: it was started beside the generation before, and takes its place. */
      | { readonly kind: 'ready' | 'swapped'; readonly pid: number | null }
      | { readonly kind: 'failed'; readonly failure: RunFailure }
    ))
  /** Nobody uses it, or has used it yet: its run is ended, or not begun. */
  | { readonly kind: 'sleep'; readonly at: number }
  | { readonly kind: 'remove' };

/**
 * The state after `event`. Events that do not apply leave it as it is: those of an earlier generation above all,
 * which may come at any time after a reload.
 */
export function transition(state: UpstreamState, event: UpstreamEvent): UpstreamState {
  if (state.kind === 'removed') return state;
  if (event.kind === 'remove') return { kind: 'removed' };
  if (event.kind === 'sleep') return asleep(state, event.at);
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

/** Returns the idle state of a server that runs or has not begun to start. */
function asleep(state: Exclude<UpstreamState, { kind: 'removed' }>, since: number): UpstreamState {
  const { kind, generation } = state;
  return kind === 'running' || generation === 0 ? { kind: 'idle', generation, since } : state;
}
