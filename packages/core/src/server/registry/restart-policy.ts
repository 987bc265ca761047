import type { RunFailure } from '../link/run-failure.js';
import type { RestartMode } from '../config/server-config.js';

/** The delay before the first restart in a streak, in milliseconds. It doubles with each further restart. */
export const FIRST_DELAY_MS = 500;
/** The longest delay, in milliseconds. */
export const MAX_DELAY_MS = 30_000;
/** The longest delay before reconnecting to a server that another mux restarts, in milliseconds. */
export const MAX_RECONNECT_DELAY_MS = 5000;
/** How long a run must last to end a streak, in milliseconds. The next restart is then the first in a new streak. */
export const STEADY_RUN_MS = 60_000;
/** The maximum number of restarts within {@link WINDOW_MS}. After them, mcpmux gives up on the server. */
export const MAX_RESTARTS = 5;
/** The length of the sliding window, in milliseconds. All restarts within it count, consecutive or not. */
export const WINDOW_MS = 60_000;

/** The state of a server whose run has ended on its own. All times are on the mux's clock, in milliseconds. */
export interface EndedRun {
  readonly mode: RestartMode;
  /** True if another mux restarts the server. This mux then reconnects any number of times. */
  readonly isSupervised?: boolean;
  readonly failure: RunFailure;
  readonly now: number;
  /** The times of the server's automatic restarts, oldest first. */
  readonly restartTimes: readonly number[];
  /** The number of restarts since the last run that ended a streak. */
  readonly streak: number;
}

/** The decision about a server whose run has ended on its own. */
export type RestartDecision =
  | { readonly kind: 'leave' }
  | { readonly kind: 'restart'; readonly delayMs: number }
  /** The server has ended too often. It stays crashed until it is reloaded or a request restarts it. */
  | { readonly kind: 'give-up' };

/**
 * Decides whether and when a server restarts.
 *
 * @param random a number from 0 to 1 that varies the delay, so that servers that ended together restart at different
 * times
 */
export function decideRestart(run: EndedRun, random: number): RestartDecision {
  if (run.mode === 'never' || (run.mode === 'on-failure' && isOrderlyExit(run.failure)))
    return { kind: 'leave' };
  const recent = run.restartTimes.filter((at) => run.now - at < WINDOW_MS);
  if (recent.length >= MAX_RESTARTS && run.isSupervised !== true) return { kind: 'give-up' };
  const longest = run.isSupervised === true ? MAX_RECONNECT_DELAY_MS : MAX_DELAY_MS;
  const delay = Math.min(FIRST_DELAY_MS * 2 ** run.streak, longest);
  return { kind: 'restart', delayMs: Math.round(delay * (0.8 + 0.4 * random)) };
}

function isOrderlyExit(failure: RunFailure): boolean {
  return failure.kind === 'exited' && failure.exit.exitCode === 0;
}
