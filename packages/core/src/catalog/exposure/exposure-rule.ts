import { READ_RESULT, RUN_CODE } from '../own-tool.js';
import type { CatalogSnapshot, SelectableTool, ToolEntry, ToolSelection } from '../catalog-view.js';
import type { ExposureMode } from '../../server/lists/tool-filter.js';
import type { Exposure } from './exposure-options.js';
import { isNeededByApps } from '../list-entries.js';
import { slimDefinition } from './slim-definition.js';
import type { ToolUses } from './tool-uses.js';

const BYTES_PER_TOKEN = 4;

/**
 * Estimates the number of tokens in a definition from its size. A tokenizer would take seconds for ten thousand
 * definitions, and each model has its own.
 */
export function estimateTokens(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

/** mcpmux's own tools in the mode `minimal`: those that find and call other tools, and those that a guard answers. */
const MINIMAL_TOOLS: ReadonlySet<string> = new Set(['search_tools', 'call_tool', READ_RESULT, RUN_CODE]);
/** Default token budget of a list in mode `auto`: a tenth of a 200,000-token context window. */
export const DEFAULT_BUDGET_TOKENS = 20_000;

/** The tools that a client's list has in every mode. */
export interface AlwaysListed {
  /** The exposed names of the tools that the client has found by search. */
  readonly foundTools: ReadonlySet<string>;
  /** True if the client shows MCP Apps, and therefore needs the tools that apps use in its list. */
  readonly hasApps: boolean;
}

const NOTHING_ALWAYS_LISTED: AlwaysListed = { foundTools: new Set(), hasApps: false };

/** Selects the listed tools by an exposure. A server's own settings take precedence for its tools. */
export class ExposureRule implements ToolSelection {
  constructor(
    readonly key: string,
    readonly exposure: Exposure,
    private readonly toolUses: ToolUses,
  ) {}

  /** True if a snapshot's list may differ from the list of all tools with their full definitions. */
  changesList({ upstreams }: Pick<CatalogSnapshot, 'upstreams'>): boolean {
    const { mode = 'all', slim, ownTools } = this.exposure;
    if (mode !== 'all' || slim === true || (ownTools ?? 'all') !== 'all') return true;
    return upstreams.some(({ view }) => view?.exposure !== undefined);
  }

  includesOwnTool(name: string): boolean {
    const { mode, ownTools = mode === 'search' ? 'minimal' : 'all' } = this.exposure;
    if (ownTools === 'none') return name === READ_RESULT;
    return ownTools === 'all' || MINIMAL_TOOLS.has(name);
  }

  /** @param always the tools that the list has in every mode */
  select<Tool extends SelectableTool>(
    entries: readonly ToolEntry<Tool>[],
    ownBytes: number,
    { foundTools, hasApps }: AlwaysListed = NOTHING_ALWAYS_LISTED,
  ): readonly ToolEntry<Tool>[] {
    const slimEntries = entries.map((entry) => this.slimEntry(entry));
    const isListed = ({ tool, json }: ToolEntry<SelectableTool>): boolean =>
      foundTools.has(tool.exposedName) || this.isAlwaysListed(tool) || (hasApps && isNeededByApps(json));
    const fitsBudget = this.budgetFilter(slimEntries, ownBytes, isListed);
    return slimEntries.filter((entry) => isListed(entry) || fitsBudget(entry.tool));
  }

  callCountOf(tool: string): number {
    return this.exposure.mode === 'auto' ? this.toolUses.getCount(tool) : 0;
  }

  private slimEntry<Tool extends SelectableTool>(entry: ToolEntry<Tool>): ToolEntry<Tool> {
    const isSlim = entry.tool.upstream.view?.exposure?.slim ?? this.exposure.slim;
    if (isSlim !== true) return entry;
    return { tool: entry.tool, json: Buffer.from(slimDefinition(entry.json.toString('utf8'))) };
  }

  /** True for a tool that the list contains regardless of the budget. */
  private isAlwaysListed(tool: SelectableTool): boolean {
    return this.modeOf(tool) === 'all' || this.isPinned(tool);
  }

  private isPinned({ upstream, definition, qualifiedName }: SelectableTool): boolean {
    const isPinnedByServer = upstream.view?.exposure?.isPinned?.(definition.key) === true;
    return isPinnedByServer || this.exposure.isPinned?.(qualifiedName) === true;
  }

  private modeOf({ upstream }: SelectableTool): ExposureMode {
    return upstream.view?.exposure?.mode ?? this.exposure.mode ?? 'all';
  }

  /** Returns a predicate that accepts the tools in mode `auto` that fit into the budget beside those already listed. */
  private budgetFilter(
    entries: readonly ToolEntry<SelectableTool>[],
    ownBytes: number,
    isListed: (entry: ToolEntry<SelectableTool>) => boolean,
  ): (tool: SelectableTool) => boolean {
    const candidates = entries.filter((entry) => this.modeOf(entry.tool) === 'auto' && !isListed(entry));
    if (candidates.length === 0) return () => false;
    const listedBytes = entries.filter(isListed).reduce((sum, { json }) => sum + json.length, ownBytes);
    const remainingTokens = (this.exposure.budget ?? DEFAULT_BUDGET_TOKENS) - estimateTokens(listedBytes);
    const tools = candidates.map(({ tool, json }) => ({
      name: tool.qualifiedName,
      tokens: estimateTokens(json.length),
    }));
    const fittingNames = fittingTools(tools, remainingTokens, (name) => this.toolUses.getCount(name));
    return ({ qualifiedName }) => fittingNames.has(qualifiedName);
  }
}

/**
 * Returns the names of the tools that fit into a budget. Prefers the most called tools and, among those with equal
 * counts, the earlier ones in the list. Skips a tool that does not fit, because a later, smaller one may.
 *
 * @param callCountOf returns the number of calls to a tool
 */
export function fittingTools(
  tools: readonly { readonly name: string; readonly tokens: number }[],
  budget: number,
  callCountOf: (name: string) => number,
): ReadonlySet<string> {
  const rankedTools = tools
    .map(({ name, tokens }) => ({ name, tokens, callCount: callCountOf(name) }))
    // The sort is stable, so tools with equal call counts stay in list order.
    .toSorted((left, right) => right.callCount - left.callCount);
  let remainingTokens = budget;
  const fitting = rankedTools.filter(({ tokens }) => {
    if (tokens > remainingTokens) return false;
    remainingTokens -= tokens;
    return true;
  });
  return new Set(fitting.map(({ name }) => name));
}
