import type { RunFailure } from '../link/run-failure.js';
import type { RestartMode } from '../config/server-config.js';

/** Delay before the first restart of a streak, in milliseconds; each one more doubles it. */
export const FIRST_DELAY_MS = 500;
/** Longest delay. */
export const MAX_DELAY_MS = 30_000;
/** The same for a connection to a server that another mux restarts. */
export const MAX_CONNECT_DELAY_MS = 5000;
/** A run of this length ends a streak: the next restart is a first one again. */
export const STEADY_RUN_MS = 60_000;
/** Restarts within {@link WINDOW_MS} after which a server is left alone. */
export const MAX_RESTARTS = 5;
/** The window slides: what counts is how often, not whether in a row. */
export const WINDOW_MS = 60_000;

/** The state of a server when its run has ended by itself. Times are readings of one clock, in milliseconds. */
export interface EndedRun {
  readonly mode: RestartMode;
  /** Another mux restarts the server: this one connects again and again. */
  readonly isSupervised?: boolean;
  readonly failure: RunFailure;
  readonly now: number;
  /** When it was restarted by itself so far, oldest first. */
  readonly restarts: readonly number[];
  /** Restarts since the last run that was steady. */
  readonly streak: number;
}

/** The decision about a server whose run has ended by itself. */
export type RestartDecision =
  | { readonly kind: 'leave' }
  | { readonly kind: 'restart'; readonly delayMs: number }
  /** The server ends repeatedly. It stays crashed until it is reloaded. */
  | { readonly kind: 'give-up' };

/**
 * Decides whether a server is started again, and when.
 *
 * @param random 0 to 1: servers that fell together must not rise together
 */
export function decideRestart(run: EndedRun, random: number): RestartDecision {
  if (run.mode === 'never' || (run.mode === 'on-failure' && isOrderly(run.failure))) return { kind: 'leave' };
  const recent = run.restarts.filter((at) => run.now - at < WINDOW_MS);
  if (recent.length >= MAX_RESTARTS && run.isSupervised !== true) return { kind: 'give-up' };
  const longest = run.isSupervised === true ? MAX_CONNECT_DELAY_MS : MAX_DELAY_MS;
  const delay = Math.min(FIRST_DELAY_MS * 2 ** run.streak, longest);
  return { kind: 'restart', delayMs: Math.round(delay * (0.8 + 0.4 * random)) };
}

function isOrderly(failure: RunFailure): boolean {
  return failure.kind === 'exited' && failure.exit.exitCode === 0;
}
