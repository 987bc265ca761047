import { sightAt, type Sight, type ViewRule } from './file-view.js';

/** Returns what a confined server sees at an absolute path. Without a rule, the path is read-only. */
export function sightOf(path: string, view: readonly ViewRule[]): Sight {
  return sightAt(path, new Map(view.map((rule) => [rule.path, rule.sight]))) ?? 'read-only';
}
