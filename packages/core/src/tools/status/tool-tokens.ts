import type { CatalogSnapshot, ToolSelection } from '../../catalog/catalog-view.js';
import { isShown } from '../../catalog/exposed-definition.js';
import { toolEntry } from '../../catalog/list-entries.js';
import { estimatedTokens } from '../../exposure/estimated-tokens.js';
import type { Upstream } from '../../upstream/upstream.js';

/** The size of the definitions of one server in `tools/list`, in tokens of about 4 bytes. */
export interface ToolTokens {
  /** Of all its tools, as the server defines them. */
  readonly all: number;
  /** Of those that stand in the list of the caller. */
  readonly listed: number;
  /** How many of its tools stand in no list. */
  readonly unlisted_tools: number;
}

/** What a selection makes of the tools of each server. */
export function toolTokens(
  { tools, resources }: CatalogSnapshot,
  selection: ToolSelection,
): (upstream: Upstream) => ToolTokens {
  const all = tools.entries
    .filter(isShown)
    .map((tool) => ({ tool, json: toolEntry(tool, resources.aliasesOf(tool.upstream)) }));
  const selected = selection.select(all, 0);
  return (upstream) => {
    const own = all.filter(({ tool }) => tool.upstream === upstream);
    const listed = selected.filter(({ tool }) => tool.upstream === upstream);
    return { all: sum(own), listed: sum(listed), unlisted_tools: own.length - listed.length };
  };
}

function sum(entries: readonly { readonly json: Buffer }[]): number {
  return entries.reduce((total, { json }) => total + estimatedTokens(json.length), 0);
}
