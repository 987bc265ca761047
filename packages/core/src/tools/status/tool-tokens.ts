import { byServer } from '../../catalog/by-server.js';
import type { CatalogSnapshot, ToolSelection } from '../../catalog/catalog-view.js';
import { isShown, type ExposedDefinition } from '../../catalog/exposed-definition.js';
import { toolEntry } from '../../catalog/list-entries.js';
import { estimatedTokens } from '../../catalog/exposure/estimated-tokens.js';
import type { Upstream } from '../../server/upstream.js';

const MOST_USED = 5;

/** The size of the definitions of one server in `tools/list`, in tokens of about 4 bytes. */
export interface ToolTokens {
  /** Of all its tools, as the server defines them. */
  readonly all: number;
  /** Of those that stand in the list of the caller. */
  readonly listed: number;
  /** How many of its tools stand in no list. */
  readonly unlisted_tools: number;
  /** The most used tools, with the number of their calls; absent where calls are not counted. */
  readonly most_used?: Readonly<Record<string, number>>;
}

/** Returns the estimated tokens of the tools of each server under a selection. */
export function toolTokens(
  { tools, resources }: CatalogSnapshot,
  selection: ToolSelection,
): (upstream: Upstream) => ToolTokens {
  const all = tools.entries
    .filter(isShown)
    .map((tool) => ({ tool, json: toolEntry(tool, resources.aliasesOf(tool.upstream)) }));
  const entriesOf = byServer(all, ({ tool }) => tool.upstream);
  const selectedOf = byServer(selection.select(all, 0), ({ tool }) => tool.upstream);
  return (upstream) => {
    const own = entriesOf(upstream);
    const listed = selectedOf(upstream);
    const unlisted = own.length - listed.length;
    return { all: sum(own), listed: sum(listed), unlisted_tools: unlisted, ...mostUsed(own, selection) };
  };
}

function mostUsed(
  own: readonly { readonly tool: ExposedDefinition }[],
  selection: ToolSelection,
): Pick<ToolTokens, 'most_used'> {
  const used = own
    .map(({ tool }) => [tool.exposedName, selection.usesOf?.(tool.qualifiedName) ?? 0] as const)
    .filter(([, count]) => count > 0)
    .toSorted(([, one], [, other]) => other - one);
  return used.length === 0 ? {} : { most_used: Object.fromEntries(used.slice(0, MOST_USED)) };
}

function sum(entries: readonly { readonly json: Buffer }[]): number {
  return entries.reduce((total, { json }) => total + estimatedTokens(json.length), 0);
}
