import process from 'node:process';

import { expect, it } from 'vitest';

import { chaosRun, type Ending } from './chaos-run.js';

const SHORT_EVENTS = 250;
const SHORT_RUNS: readonly (readonly [number, Ending])[] = [
  [1, 'EOF'],
  [2, 'SIGTERM'],
  [3, 'SIGKILL'],
];

/** `CHAOS_SEED` runs one seed with every ending; `CHAOS_EVENTS` says how many events, 2,000 for such a run. */
function plannedRuns(): readonly (readonly [number, number, Ending])[] {
  const { CHAOS_SEED: seed, CHAOS_EVENTS: events } = process.env;
  if (seed === undefined) {
    return SHORT_RUNS.map(([each, ending]) => [each, Number(events ?? SHORT_EVENTS), ending]);
  }
  return SHORT_RUNS.map(([, ending]) => [Number(seed), Number(events ?? 2000), ending]);
}

it.runIf(process.platform === 'linux').each(plannedRuns())(
  'seed %i: of %i events none breaks an invariant, and after %s nothing is left',
  async (seed, events, ending) => {
    const { violations, history, ...figures } = await chaosRun(seed, events, ending);
    process.stderr.write(`chaos ${JSON.stringify({ seed, events, ending, ...figures })}\n`);
    expect(violations, `the last events:\n${history.slice(-40).join('\n')}`).toEqual([]);
  },
);
