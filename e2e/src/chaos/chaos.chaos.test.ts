import process from 'node:process';

import { assert, it } from 'vitest';

import { chaosRun, type Ending } from './chaos-run.js';

const EVENTS = 2000;
const CHECKED_RUNS: readonly (readonly [number, Ending])[] = [
  [1, 'EOF'],
  [2, 'SIGTERM'],
  [3, 'SIGKILL'],
];

/** Three seeds in the check. `CHAOS_SEED=7,8` runs others, each with every ending; `CHAOS_EVENTS` says how many events. */
function plannedRuns(): readonly (readonly [number, number, Ending])[] {
  const { CHAOS_SEED: seed, CHAOS_EVENTS: events = EVENTS } = process.env;
  if (seed === undefined) return CHECKED_RUNS.map(([each, ending]) => [each, Number(events), ending]);
  const seeds = seed.split(',').map(Number);
  return seeds.flatMap((each) => CHECKED_RUNS.map(([, ending]) => [each, Number(events), ending] as const));
}

it.runIf(process.platform === 'linux').each(plannedRuns())(
  'seed %i: of %i events none breaks an invariant, and after %s nothing is left',
  async (seed, events, ending) => {
    const { violations, history, ...figures } = await chaosRun(seed, events, ending);
    process.stderr.write(`chaos ${JSON.stringify({ seed, events, ending, ...figures })}\n`);
    assert(violations.length === 0, reported(violations, history));
  },
);

/** What broke before what was done: of a long reason only the first lines come through. */
function reported(violations: readonly string[], history: readonly string[]): string {
  const broken = violations.slice(0, 8).map((violation) => violation.slice(0, 400));
  return [`${violations.length} violations:`, ...broken, 'the last events:', ...history.slice(-40)].join(
    '\n',
  );
}
