import { indexByServer } from '../by-server.js';
import type { CatalogSnapshot, ToolEntry, ToolSelection } from '../catalog-view.js';
import { appearsInLists, type ExposedDefinition } from '../exposed-definition.js';
import { toolEntry } from '../list-entries.js';
import type { Upstream } from '../../server/upstream.js';
import { estimateTokens, type ExposureRule } from './exposure-rule.js';

const MAX_MOST_USED = 5;

/** The estimated size of a server's tool definitions in `tools/list`, in tokens. */
export interface ToolTokens {
  /** Tokens of all its tools with their full definitions. */
  readonly all: number;
  /** Tokens of its tools in the caller's list. */
  readonly listed: number;
  /** Number of its tools that are not in the caller's list. */
  readonly unlisted_tools: number;
  /** Call counts of the most used tools, by name; absent if no call was counted. */
  readonly most_used?: Readonly<Record<string, number>>;
}

/** Returns a function that estimates how many tokens a server's tools use, in full and under a selection. */
export function toolTokens(
  snapshot: CatalogSnapshot,
  selection: ToolSelection,
): (upstream: Upstream) => ToolTokens {
  const entries = fullToolEntries(snapshot);
  const entriesOf = indexByServer(entries, ({ tool }) => tool.upstream);
  const selectedOf = indexByServer(selection.select(entries, 0), ({ tool }) => tool.upstream);
  return (upstream) => {
    const serverEntries = entriesOf(upstream);
    const listed = selectedOf(upstream);
    const unlistedCount = serverEntries.length - listed.length;
    return {
      all: sumTokens(serverEntries),
      listed: sumTokens(listed),
      unlisted_tools: unlistedCount,
      ...mostUsedMember(serverEntries, selection),
    };
  };
}

function mostUsedMember(
  serverEntries: readonly { readonly tool: ExposedDefinition }[],
  selection: ToolSelection,
): Pick<ToolTokens, 'most_used'> {
  const usedTools = serverEntries
    .map(({ tool }) => [tool.exposedName, selection.callCountOf?.(tool.qualifiedName) ?? 0] as const)
    .filter(([, count]) => count > 0)
    .toSorted(([, one], [, other]) => other - one);
  return usedTools.length === 0 ? {} : { most_used: Object.fromEntries(usedTools.slice(0, MAX_MOST_USED)) };
}

function sumTokens(entries: readonly { readonly json: Buffer }[]): number {
  return entries.reduce((total, { json }) => total + estimateTokens(json.length), 0);
}

/** Returns the names of the tools that this rule omits from the list of a client that has not found any tools. */
export function unlistedTools(snapshot: CatalogSnapshot, rule: ExposureRule): readonly string[] {
  if (!rule.changesList(snapshot)) return [];
  const entries = fullToolEntries(snapshot);
  const listedNames = new Set(rule.select(entries, 0).map(({ tool }) => tool.exposedName));
  return entries.map(({ tool }) => tool.exposedName).filter((name) => !listedNames.has(name));
}

/** Returns the full list entries of all tools that are not hidden. */
function fullToolEntries({ tools, resources }: CatalogSnapshot): readonly ToolEntry[] {
  return tools.entries
    .filter(appearsInLists)
    .map((tool) => ({ tool, json: toolEntry(tool, resources.aliasesOf(tool.upstream)) }));
}
