import type { LoadFigures } from './measure-load.js';
import { median } from './statistics.js';

/** The figures that ratios are given of. */
export type FigureName = 'callsPerSecond' | 'p50Ms' | 'p99Ms' | 'cpuMicrosPerCall' | 'rssBytes';
/** Each of them as a multiple of the floor. */
export type Ratio = Readonly<Record<FigureName, number>>;

const NAMES: readonly FigureName[] = ['callsPerSecond', 'p50Ms', 'p99Ms', 'cpuMicrosPerCall', 'rssBytes'];

/**
 * The ratio of a target to the floor of the same round, because a slow moment of the machine hits both: the median over the
 * rounds that both have, which are the first ones of each.
 */
export function ratioTo(floor: readonly LoadFigures[], measured: readonly LoadFigures[]): Ratio {
  const of = (name: FigureName): number =>
    median(
      measured.map((figures, round) => (figures[name] ?? Number.NaN) / (floor[round]?.[name] ?? Number.NaN)),
    );
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one entry for each of them
  return Object.fromEntries(NAMES.map((name) => [name, of(name)])) as Ratio;
}

/** The median over the rounds. */
export function middle(rounds: readonly LoadFigures[], name: FigureName): number {
  return median(rounds.map((figures) => figures[name] ?? Number.NaN));
}
