import { toolEntry } from '../list-entries.js';
import type { CatalogSnapshot } from '../catalog-view.js';
import { isShown } from '../exposed-definition.js';
import type { ExposureRule } from './exposure-rule.js';

/**
 * Returns the names of the tools that are not in the list of a client with this rule which has found no tools so far.
 */
export function unlistedTools(snapshot: CatalogSnapshot, rule: ExposureRule): readonly string[] {
  if (!rule.changes(snapshot)) return [];
  const { tools, resources } = snapshot;
  const entries = tools.entries
    .filter(isShown)
    .map((tool) => ({ tool, json: toolEntry(tool, resources.aliasesOf(tool.upstream)) }));
  const listed = new Set(rule.select(entries, 0).map(({ tool }) => tool.exposedName));
  return entries.map(({ tool }) => tool.exposedName).filter((name) => !listed.has(name));
}
