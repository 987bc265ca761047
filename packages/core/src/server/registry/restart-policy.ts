import type { RunFailure } from '../link/run-failure.js';
import type { RestartMode } from '../config/server-config.js';

/** Delay before the first restart in a streak, in milliseconds. The delay doubles with each further restart. */
export const FIRST_DELAY_MS = 500;
/** Maximum delay, in milliseconds. */
export const MAX_DELAY_MS = 30_000;
/** Maximum delay before reconnecting to a server that another mux restarts, in milliseconds. */
export const MAX_RECONNECT_DELAY_MS = 5000;
/** The length of a run that ends a streak, in milliseconds. The next restart is the first in a new streak. */
export const STEADY_RUN_MS = 60_000;
/** The maximum number of restarts within {@link WINDOW_MS}. After that, mcpmux gives up on the server. */
export const MAX_RESTARTS = 5;
/** The length of the sliding window, in milliseconds. All restarts in it are counted, consecutive or not. */
export const WINDOW_MS = 60_000;

/** The state of a server whose run ended on its own. All times are clock times, in milliseconds. */
export interface EndedRun {
  readonly mode: RestartMode;
  /** True if another mux restarts the server. This mux then reconnects without a limit. */
  readonly isSupervised?: boolean;
  readonly failure: RunFailure;
  readonly now: number;
  /** The times of the server's automatic restarts, oldest first. */
  readonly restartTimes: readonly number[];
  /** The number of restarts since the last steady run. */
  readonly streak: number;
}

/** The decision about a server whose run ended on its own. */
export type RestartDecision =
  | { readonly kind: 'leave' }
  | { readonly kind: 'restart'; readonly delayMs: number }
  /** The server ended too often. It stays crashed until a reload, or until a request restarts it. */
  | { readonly kind: 'give-up' };

/**
 * Decides whether and after what delay a server restarts.
 *
 * @param random a number from 0 to 1 that varies the delay, so that servers that ended together restart at different
 *   times
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
