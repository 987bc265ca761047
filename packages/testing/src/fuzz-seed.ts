import process from 'node:process';

import type { Parameters as RunParameters } from 'fast-check';

/** The default seed, which is fixed so that a new failure in continuous integration is caused by a code change. */
const DEFAULT_SEED = 20_261_121;
const DEFAULT_RUNS = 3000;

/**
 * Returns the seed and the number of runs of the fuzzers, from `FUZZ_SEED` and `FUZZ_RUNS`. A failure prints both, and
 * the smallest failing case.
 */
export function fuzzParameters(share = 1): Pick<RunParameters, 'seed' | 'numRuns' | 'endOnFailure'> {
  const seed = Number(process.env['FUZZ_SEED'] ?? DEFAULT_SEED);
  const runs = Number(process.env['FUZZ_RUNS'] ?? DEFAULT_RUNS);
  return { seed, numRuns: Math.ceil(runs * share) };
}
