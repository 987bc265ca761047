import type { ChangedTool } from '@mcpmux/core';

import type { DashboardParts } from './dashboard-parts.js';

const MAX_CHANGED_TOOLS = 100;
/** The maximum length of a definition. If either version of a changed tool exceeds it, both are omitted. */
const MAX_DEFINITION_CHARACTERS = 64 * 1024;

/** Returns the tools whose definitions have changed, and the tools that no client's list contains. */
export function toolNotes(layer: string | undefined, { mux }: Pick<DashboardParts, 'mux'>): object {
  const changed = mux.listChangedTools();
  return {
    changed: changed.slice(0, MAX_CHANGED_TOOLS).map(withoutLongDefinitions),
    changedInAll: changed.length,
    unlisted: mux.listUnlistedTools({ layer }),
  };
}

function withoutLongDefinitions({ before, after, ...tool }: ChangedTool): object {
  const isLong = Math.max(after.length, before?.length ?? 0) > MAX_DEFINITION_CHARACTERS;
  return isLong ? tool : { ...tool, ...(before !== undefined && { before }), after };
}
