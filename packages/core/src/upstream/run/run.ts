import type { Attempt, Started } from './attempt.js';
import type { RunFailure } from '../link/run-failure.js';

/** A run on its way up, or up. */
export interface Run {
  readonly attempt: Attempt;
  /** Resolves when it has started, or has failed to. */
  readonly starting: Promise<Started | undefined>;
  failure: RunFailure | undefined;
}
