// How much the features of features.json may add to a bound.
import { readFileSync } from 'node:fs';

const { features } = JSON.parse(readFileSync(new URL('features.json', import.meta.url), 'utf8'));

/** The sum of one measure of all features: lines of source (tools/house.mjs) or words of pages (tools/docs.mjs). */
export function grownBy(measure) {
  return Object.values(features).reduce((sum, added) => sum + added[measure], 0);
}
