import process from 'node:process';

import type { Parameters as RunParameters } from 'fast-check';

/**
 * How often a property is tried with random values: `runs` times in `npm test`, and `PROPERTY_RUNS` times as often where
 * that is set, as `npm run test:all` does.
 */
export function propertyRuns(runs: number): Pick<RunParameters, 'numRuns'> {
  return { numRuns: Math.ceil(runs * Number(process.env['PROPERTY_RUNS'] ?? 1)) };
}
