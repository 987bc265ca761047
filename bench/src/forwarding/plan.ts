import { PAYLOADS, type PayloadName } from '../payload.js';
import type { TargetName } from '../targets/target.js';
import { targetOf } from '../targets/targets.js';
import type { CellKey } from './cell.js';

/** The loads that a run is asked for. */
export interface Matrix {
  readonly targets: readonly TargetName[];
  readonly payloads: readonly PayloadName[];
  readonly inFlight: readonly number[];
}

/** Every load of every target, those that belong side by side one after the other. */
export function plannedCells(matrix: Matrix): CellKey[] {
  return allCells(matrix).filter(isBearable);
}

/** The loads that are left out: they would keep more in flight than the target can bear. */
export function skippedCells(matrix: Matrix): CellKey[] {
  return allCells(matrix).filter((key) => !isBearable(key));
}

const WARM_UP_IN_FLIGHT = 32;

/** Compared with each other, or with the byte pipe. */
const IS_OF_AN_ERA = /-on-|^modern-/;

const GOALS_ARE_ABOUT: ReadonlySet<TargetName> = new Set([
  'byte-pipe',
  'mcpmux',
  'sdk-v1-proxy',
  'shared',
  'bare-relay',
  'two-byte-pipes',
]);

/** True if a goal names this target, or the target is another build to compare with: such a target takes part in every round, and is warmed up for longer. */
export function isAboutGoals(target: TargetName): boolean {
  return GOALS_ARE_ABOUT.has(target) || target.startsWith('mcpmux:') || IS_OF_AN_ERA.test(target);
}

/**
 * The loads of a round, the first of which is 0: what a goal is about comes in each, all others in every second one.
 *
 * Forth and back: none always runs in the wake of the same one, and a drift of the machine hits all alike.
 */
export function cellsOfRound(keys: readonly CellKey[], round: number): readonly CellKey[] {
  return round % 2 === 0 ? keys : keys.filter(({ target }) => isAboutGoals(target)).toReversed();
}

/** The load that each target is warmed up with: the one with most in flight, up to {@link WARM_UP_IN_FLIGHT} if there is such a one. */
export function warmUpCells(keys: readonly CellKey[]): readonly CellKey[] {
  return keys.filter(({ target, inFlight }) => {
    const counts = keys.filter((key) => key.target === target).map((key) => key.inFlight);
    const bearable = counts.filter((count) => count <= WARM_UP_IN_FLIGHT);
    return inFlight === (bearable.length > 0 ? Math.max(...bearable) : Math.min(...counts));
  });
}

function allCells({ targets, payloads, inFlight }: Matrix): CellKey[] {
  return payloads.flatMap((payload) =>
    inFlight.flatMap((count) => targets.map((target) => ({ target, payload, inFlight: count }))),
  );
}

function isBearable({ target, payload, inFlight }: CellKey): boolean {
  return PAYLOADS[payload].bytes * inFlight <= targetOf(target).maxBytesInFlight;
}
