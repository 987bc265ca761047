import type { ViewRule } from './file-view.js';
import { nearestValue } from './paths.js';
import type { Sight } from './sights.js';

/** Returns a confined server's access to an absolute path. Without a rule, the path is read-only. */
export function sightOf(path: string, view: readonly ViewRule[]): Sight {
  return nearestValue(path, new Map(view.map((rule) => [rule.path, rule.sight]))) ?? 'read-only';
}
