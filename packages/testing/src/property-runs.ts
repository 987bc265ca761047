import process from 'node:process';

import type { Parameters as RunParameters } from 'fast-check';

/**
 * Returns how often to run a property: `runs` times in `npm test`. If `PROPERTY_RUNS` is set, as in `npm run test:all`,
 * multiplies `runs` by it.
 */
export function propertyRuns(runs: number): Pick<RunParameters, 'numRuns'> {
  return { numRuns: Math.ceil(runs * Number(process.env['PROPERTY_RUNS'] ?? 1)) };
}
