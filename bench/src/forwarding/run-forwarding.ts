import { CoreSharing } from '../measure/core-sharing.js';
import { PAYLOADS } from '../payload.js';
import {
  describeFailure,
  type Cell,
  type CellKey,
  type Failure,
  type ForwardingReport,
  type Sample,
} from './cell.js';
import { Lineup, type Window } from './lineup.js';
import { cellsOfRound, isAboutGoals, plannedCells, skippedCells, warmUpCells, type Matrix } from './plan.js';
import { summarize } from './summarize.js';

/** Which loads of which targets, how often and for how long. */
export interface ForwardingOptions extends Matrix {
  readonly rounds: number;
  readonly window: Window;
  /** The echo server answers with `id` before `result`. */
  readonly idFirst: boolean;
}

/** Says what is being done. */
export type Progress = (text: string) => void;

/** As a multiple of a window. */
const WARM_UP_WINDOWS = 3;
/** The calls after which the target of a goal is warm; it is warmed up at most {@link MOST_WARM_UPS} times. */
const WARM_UP_CALLS = 10_000;
const MOST_WARM_UPS = 3;

/** Runs the same load against every target, in turn, several rounds. */
export async function runForwarding(
  options: ForwardingOptions,
  progress: Progress,
): Promise<ForwardingReport> {
  const cells: Cell[] = [];
  const failures: Failure[] = [];
  for (const payload of options.payloads) {
    await using lineup = new Lineup(payload);
    const flags = options.idFirst ? ['--id-first'] : [];
    await Promise.all(options.targets.map((target) => lineup.start(target, flags)));
    progress(PAYLOADS[payload].label);
    cells.push(...(await measureRounds(lineup, plannedCells({ ...options, payloads: [payload] }), options)));
    for (const failure of lineup.failures) progress(`failed: ${describeFailure(failure)}`);
    failures.push(...lineup.failures);
  }
  return { cells: summarize(cells), skipped: skippedCells(options), failures };
}

async function measureRounds(
  lineup: Lineup,
  keys: readonly CellKey[],
  { rounds, window }: ForwardingOptions,
): Promise<Cell[]> {
  await warmUp(lineup, keys, window);
  const samples = new Map<CellKey, Sample[]>(keys.map((key) => [key, []]));
  const sharing = new CoreSharing();
  let before = sharing.cyclesPerTurn();
  for (let round = 0; round < rounds; round += 1) {
    for (const key of cellsOfRound(keys, round)) {
      const figures = await lineup.measure(key.target, key.inFlight, window);
      const after = sharing.cyclesPerTurn();
      if (figures !== undefined)
        samples.get(key)?.push({ ...figures, round, cyclesPerTurn: Math.max(before, after) });
      before = after;
    }
  }
  // a target that has failed on its way has no medians
  const failed = new Set(lineup.failures.map(({ target }) => target));
  return [...samples]
    .filter(([{ target }]) => !failed.has(target))
    .map(([{ target, payload, inFlight: count }, own]) => ({
      target,
      payload,
      inFlight: count,
      samples: own,
    }));
}

/** The compiler of a process that has just started is still at work, which is not a cost per call. */
async function warmUp(lineup: Lineup, keys: readonly CellKey[], window: Window): Promise<void> {
  const longer = { ...window, windowMs: window.windowMs * WARM_UP_WINDOWS };
  for (const { target, inFlight } of warmUpCells(keys)) {
    const most = isAboutGoals(target) ? MOST_WARM_UPS : 1;
    let calls = 0;
    for (let turn = 0; turn < most && calls < WARM_UP_CALLS; turn += 1) {
      calls += (await lineup.measure(target, inFlight, longer))?.calls ?? 0;
    }
  }
}
