import { dirname } from 'node:path';

import type { Sight, ViewRule } from './file-view.js';

/** Returns what a confined server sees at an absolute path. Without a rule, the path is read-only. */
export function sightOf(path: string, view: readonly ViewRule[]): Sight {
  const rules = new Map(view.map((rule) => [rule.path, rule.sight]));
  for (let folder = path; ; folder = dirname(folder)) {
    const sight = rules.get(folder);
    if (sight !== undefined) return sight;
    if (folder === dirname(folder)) return 'read-only';
  }
}
