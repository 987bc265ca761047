import { byServer } from '../by-server.js';
import type { CatalogSnapshot, ToolEntry, ToolSelection } from '../catalog-view.js';
import { isShown, type ExposedDefinition } from '../exposed-definition.js';
import { toolEntry } from '../list-entries.js';
import type { Upstream } from '../../server/upstream.js';
import { estimatedTokens, type ExposureRule } from './exposure-rule.js';

const MOST_USED = 5;

/** The size of a server's definitions in `tools/list`, in tokens of about 4 bytes. */
export interface ToolTokens {
  /** Tokens of all its tools, as the server defines them. */
  readonly all: number;
  /** Tokens of its tools in the caller's list. */
  readonly listed: number;
  /** Number of its tools that are not in the caller's list. */
  readonly unlisted_tools: number;
  /** The most used tools with their numbers of calls; absent if calls are not counted. */
  readonly most_used?: Readonly<Record<string, number>>;
}

/** Returns a function that estimates the tokens of a server's tools under a selection. */
export function toolTokens(
  snapshot: CatalogSnapshot,
  selection: ToolSelection,
): (upstream: Upstream) => ToolTokens {
  const entries = shownTools(snapshot);
  const entriesOf = byServer(entries, ({ tool }) => tool.upstream);
  const selectedOf = byServer(selection.select(entries, 0), ({ tool }) => tool.upstream);
  return (upstream) => {
    const serverEntries = entriesOf(upstream);
    const listed = selectedOf(upstream);
    const unlisted = serverEntries.length - listed.length;
    return {
      all: sum(serverEntries),
      listed: sum(listed),
      unlisted_tools: unlisted,
      ...mostUsed(serverEntries, selection),
    };
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

/** Returns the names of the tools that a client with this rule does not have in its list before it finds tools. */
export function unlistedTools(snapshot: CatalogSnapshot, rule: ExposureRule): readonly string[] {
  if (!rule.changes(snapshot)) return [];
  const entries = shownTools(snapshot);
  const listed = new Set(rule.select(entries, 0).map(({ tool }) => tool.exposedName));
  return entries.map(({ tool }) => tool.exposedName).filter((name) => !listed.has(name));
}

/** Returns the tools of a snapshot with the definitions of a list without a selection. */
function shownTools({ tools, resources }: CatalogSnapshot): readonly ToolEntry[] {
  return tools.entries
    .filter(isShown)
    .map((tool) => ({ tool, json: toolEntry(tool, resources.aliasesOf(tool.upstream)) }));
}
