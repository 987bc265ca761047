import type { LoadFigures } from '../measure/measure-load.js';
import { PAYLOADS, type PayloadName } from '../payload.js';
import type { TargetName } from '../targets/target.js';

/** The figures of one window of load, or the median of several windows. */
export type Figures = Omit<LoadFigures, 'calls'>;

/** Which load of which target. */
export interface CellKey {
  readonly target: TargetName;
  readonly payload: PayloadName;
  readonly inFlight: number;
}

/** The figures of a window, and its round. */
export interface Sample extends LoadFigures {
  readonly round: number;
  /** The reading of `CoreSharing` before the window or after it: the larger of the two. */
  readonly cyclesPerTurn: number;
}

/** All windows of one load of one target, one for each round that it took part in. */
export interface Cell extends CellKey {
  readonly samples: readonly Sample[];
}

/** A cell with its medians. */
export interface CellReport extends Cell {
  readonly median: Figures;
  /** Medians of the ratios to the byte pipe in the same round; null for the byte pipe itself and without one. */
  readonly ratio: Figures | null;
}

/** A target that did not start or did not do its work. */
export interface Failure {
  readonly target: TargetName;
  readonly payload: PayloadName;
  readonly reason: string;
}

/** Which target it was, with what, and why. */
export function describeFailure({ target, payload, reason }: Failure): string {
  return `${target}, ${PAYLOADS[payload].label}: ${reason}`;
}

/** The forwarding part of a run. */
export interface ForwardingReport {
  readonly cells: readonly CellReport[];
  /** Loads that were left out: they would keep more in flight than the target can bear. */
  readonly skipped: readonly CellKey[];
  readonly failures: readonly Failure[];
}
