import type { ViewRule } from './file-view.js';
import { nearestValue } from './paths.js';
import type { Sight } from './sights.js';

/** Returns the access of a confined server to an absolute path. A path without a rule is read-only. */
export function sightOf(path: string, view: readonly ViewRule[]): Sight {
  return nearestValue(path, new Map(view.map((rule) => [rule.path, rule.sight]))) ?? 'read-only';
}
