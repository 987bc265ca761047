import process from 'node:process';

import type { Parameters as RunParameters } from 'fast-check';

/**
 * Returns the number of runs of a property: `runs` in `npm test`, multiplied by `PROPERTY_RUNS` if it is set, as in
 * `npm run test:all`.
 */
export function propertyRuns(runs: number): Pick<RunParameters, 'numRuns'> {
  return { numRuns: Math.ceil(runs * Number(process.env['PROPERTY_RUNS'] ?? 1)) };
}
