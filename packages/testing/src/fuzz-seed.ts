import process from 'node:process';

import type { Parameters as RunParameters } from 'fast-check';

/** The default seed. It is fixed, so that only a code change can cause a new failure in continuous integration. */
const DEFAULT_SEED = 20_261_121;
const DEFAULT_RUNS = 3000;

/**
 * Returns the fuzzers' seed and number of runs, from `FUZZ_SEED` and `FUZZ_RUNS`. On a failure, fast-check prints the
 * seed and the smallest failing case.
 */
export function fuzzParameters(share = 1): Pick<RunParameters, 'seed' | 'numRuns' | 'endOnFailure'> {
  const seed = Number(process.env['FUZZ_SEED'] ?? DEFAULT_SEED);
  const runs = Number(process.env['FUZZ_RUNS'] ?? DEFAULT_RUNS);
  return { seed, numRuns: Math.ceil(runs * share) };
}
