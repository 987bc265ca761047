import type { RunFailure } from './link/run-failure.js';

/** Where one registered server stands; `pid` is null for one at a url. `since` is a reading of the mux's clock, in milliseconds. */
export type UpstreamState =
  | { readonly kind: 'starting'; readonly generation: number; readonly since: number }
  | {
      readonly kind: 'running';
      readonly generation: number;
      readonly since: number;
      readonly pid: number | null;
    }
  | {
      readonly kind: 'crashed';
      readonly generation: number;
      readonly since: number;
      readonly failure: RunFailure;
    }
  /** Not started yet, or stopped since nobody used it: what needs it starts it. */
  | { readonly kind: 'idle'; readonly generation: number; readonly since: number }
  | { readonly kind: 'removed' };

/** What happens to a registered server. `at` is a reading of the mux's clock, in milliseconds. */
export type UpstreamEvent =
  | { readonly kind: 'start'; readonly generation: number; readonly at: number }
  | { readonly kind: 'ready'; readonly generation: number; readonly at: number; readonly pid: number | null }
  /** The next generation was started beside the current one, runs, and takes its place. */
  | {
      readonly kind: 'swapped';
      readonly generation: number;
      readonly at: number;
      readonly pid: number | null;
    }
  | {
      readonly kind: 'failed';
      readonly generation: number;
      readonly at: number;
      readonly failure: RunFailure;
    }
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
  if (event.kind === 'start') {
    return event.generation > state.generation
      ? { kind: 'starting', generation: event.generation, since: event.at }
      : state;
  }
  if (event.kind === 'swapped')
    return event.generation > state.generation && state.kind !== 'starting' ? runningSince(event) : state;
  if (event.generation !== state.generation || state.kind === 'crashed' || state.kind === 'idle')
    return state;
  if (event.kind === 'failed') {
    return { kind: 'crashed', generation: event.generation, since: event.at, failure: event.failure };
  }
  return state.kind === 'starting' ? runningSince(event) : state;
}

/** What has not begun to start, or runs, can sleep. */
function asleep(state: Exclude<UpstreamState, { kind: 'removed' }>, since: number): UpstreamState {
  const { kind, generation } = state;
  return kind === 'running' || generation === 0 ? { kind: 'idle', generation, since } : state;
}

function runningSince({
  generation,
  at,
  pid,
}: Extract<UpstreamEvent, { kind: 'ready' | 'swapped' }>): UpstreamState {
  return { kind: 'running', generation, since: at, pid };
}
