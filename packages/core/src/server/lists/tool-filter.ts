import { withDescription, type Definition } from './definition.js';
import type { ListKind } from './list-kind.js';
import type { Listing } from './listing.js';
import { withLoading, type ToolLoading } from './loading-hint.js';
import { schemaNames, shapedTool, type ToolShape } from './tool-shape.js';

/**
 * The tools in `tools/list`. `all`: every tool. `search`: the pinned tools; `search_tools` finds the rest. `auto`: the
 * pinned tools, and further tools up to the budget. In every mode, every tool can be called.
 */
export type ExposureMode = 'all' | 'search' | 'auto';

/** How one server's tools appear in `tools/list`. Absent members default to the client's settings. */
export interface ServerExposure {
  readonly mode?: ExposureMode | undefined;
  /** If true, the definitions in `tools/list` are shortened. */
  readonly slim?: boolean | undefined;
  /** @param tool the tool's name for clients, without its server's name */
  readonly isPinned?: (tool: string) => boolean;
}

/** How to present a tool to clients. For absent members, the server's values apply. */
export interface ToolShown extends ToolShape {
  /** The tool's new name, without its server's name. */
  readonly name?: string;
  readonly description?: string;
  /** If true, lists omit the tool. `search_tools` still finds it, and clients can call it. */
  readonly isHidden?: boolean;
  /** A hint for clients that load definitions on demand. If absent, the client decides. */
  readonly loading?: ToolLoading;
}

/** Hides, renames or describes one server's tools. */
export interface ToolFilter {
  /** Receives a tool's name on its server. Returns `false` to hide the tool, or undefined to leave it unchanged. */
  shown(tool: string): ToolShown | false | undefined;
  /** How the server's tools appear in `tools/list`. If absent, the client's settings apply. */
  readonly exposure?: ServerExposure;
}

/** Applies a filter to a list of tools. If a change cannot be applied, returns a warning. */
export function applyToolFilter(kind: ListKind, listing: Listing, view: ToolFilter | undefined): Listing {
  if (kind !== 'tools' || view === undefined) return listing;
  const problems: string[] = [];
  const names = new Set<string>();
  const patternMatches = new Map<string, boolean>();
  const shown = listing.items.flatMap((definition) => {
    const change = view.shown(definition.key);
    if (change === false) return [];
    const changedDefinition = change === undefined ? definition : applyChange(change, definition);
    const argumentNames = Object.keys(change?.arguments ?? {});
    const schemaArguments = argumentNames.length === 0 ? NO_NAMES : schemaNames(definition);
    for (const name of argumentNames) {
      if (change?.isPattern === true)
        patternMatches.set(name, patternMatches.get(name) === true || schemaArguments.has(name));
      else if (!schemaArguments.has(name)) problems.push(missingArgumentProblem(definition.key, name));
    }
    if (!names.has(changedDefinition.key)) {
      names.add(changedDefinition.key);
      return [changedDefinition];
    }
    problems.push(`two of its tools would be called "${changedDefinition.key}": the second one is left out`);
    return [];
  });
  const missing = [...patternMatches].filter(([, isFound]) => !isFound);
  for (const [name] of missing)
    problems.push(`its settings change the argument "${name}", which the schemas of these tools do not have`);
  return { items: shown, warnings: [...listing.warnings, ...problems] };
}

const NO_NAMES: ReadonlySet<string> = new Set();

function missingArgumentProblem(tool: string, name: string): string {
  return `its settings change the argument "${name}" of "${tool}", which the schema of the tool does not have`;
}

function applyChange(
  { name, description, isHidden, loading, ...shape }: ToolShown,
  definition: Definition,
): Definition {
  const described = description === undefined ? definition : withDescription(definition, description);
  const hinted = loading === undefined ? described : withLoading(described, loading);
  return {
    ...shapedTool(hinted, shape),
    // Calls to the server still use the server's own name for the tool.
    ...(name !== undefined && { key: name }),
    ...(isHidden === true && { isHidden }),
  };
}
