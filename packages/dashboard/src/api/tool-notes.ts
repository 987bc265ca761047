import type { ChangedTool } from '@mcpmux/core';

import type { DashboardParts } from './dashboard-parts.js';

const MAX_CHANGED = 100;
/** A longer definition is not shown beside the one before it. */
const MAX_CHARACTERS = 64 * 1024;

/** Facts that the lists of tools do not have: definitions that have changed, and tools that are in no list of clients. */
export function toolNotes(layer: string | undefined, { mux }: Pick<DashboardParts, 'mux'>): object {
  const changed = mux.changedTools();
  return {
    changed: changed.slice(0, MAX_CHANGED).map(shortened),
    changedInAll: changed.length,
    unlisted: mux.unlistedTools({ layer }),
  };
}

function shortened({ before, after, ...tool }: ChangedTool): object {
  const isLong = Math.max(after.length, before?.length ?? 0) > MAX_CHARACTERS;
  return isLong ? tool : { ...tool, ...(before !== undefined && { before }), after };
}
