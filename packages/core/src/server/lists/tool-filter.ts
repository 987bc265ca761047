import { withDescription, type Definition } from './definition.js';
import type { ServerExposure } from './exposure-mode.js';
import type { ListKind } from './list-kind.js';
import type { Listing } from './listing.js';
import { withLoading, type ToolLoading } from './loading-hint.js';

/** The changes to a tool for clients. Absent members leave the server's value unchanged. */
export interface ToolShown {
  /** New name of the tool, without the name of its server. */
  readonly name?: string;
  readonly description?: string;
  /** True omits the tool from lists. search_tools still finds it, and it can be called. */
  readonly isHidden?: boolean;
  /** The hint for clients that load definitions on demand. When absent, the client decides. */
  readonly loading?: ToolLoading;
}

/** Hides, renames or re-describes the tools of one server. */
export interface ToolFilter {
  /**
   * @param tool name of the tool at its server
   * @returns `false` to remove the tool for clients, undefined to leave it unchanged
   */
  shown(tool: string): ToolShown | false | undefined;
  /** The tools of the server that are in `tools/list`. When absent, the settings of the client decide. */
  readonly exposure?: ServerExposure;
}

/** Applies a filter to a list of tools. Changes that cannot be applied are reported as warnings. */
export function applyToolFilter(kind: ListKind, listing: Listing, view: ToolFilter | undefined): Listing {
  if (kind !== 'tools' || view === undefined) return listing;
  const reported: string[] = [];
  const names = new Set<string>();
  const shown = listing.items.flatMap((definition) => {
    const how = view.shown(definition.key);
    if (how === false) return [];
    const changed = how === undefined ? definition : changedBy(how, definition);
    if (!names.has(changed.key)) {
      names.add(changed.key);
      return [changed];
    }
    reported.push(`two of its tools would be called "${changed.key}": the second one is left out`);
    return [];
  });
  return { items: shown, warnings: [...listing.warnings, ...reported] };
}

function changedBy({ name, description, isHidden, loading }: ToolShown, definition: Definition): Definition {
  const described = description === undefined ? definition : withDescription(definition, description);
  const hinted = loading === undefined ? described : withLoading(described, loading);
  return {
    ...hinted,
    // Calls to the server use the server's own name for the tool.
    ...(name !== undefined && { key: name }),
    ...(isHidden === true && { isHidden }),
  };
}
