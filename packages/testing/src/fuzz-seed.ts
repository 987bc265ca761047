import process from 'node:process';

import type { Parameters as RunParameters } from 'fast-check';

/** In continuous integration: always the same, so that a failure is that of a change. */
const DEFAULT_SEED = 20_261_121;
const DEFAULT_RUNS = 3000;

/**
 * How often the fuzzers run, and from which seed: `FUZZ_SEED` and `FUZZ_RUNS`. A failure prints both, and the smallest
 * case that fails.
 */
export function fuzzRuns(share = 1): Pick<RunParameters, 'seed' | 'numRuns' | 'endOnFailure'> {
  const seed = Number(process.env['FUZZ_SEED'] ?? DEFAULT_SEED);
  const runs = Number(process.env['FUZZ_RUNS'] ?? DEFAULT_RUNS);
  return { seed, numRuns: Math.ceil(runs * share) };
}
