import { withDescription, type Definition } from './definition.js';
import type { ListKind } from './list-kind.js';
import type { Listing } from './listing.js';

/** How clients see a tool. What is absent stays as its server has it. */
export interface ToolShown {
  /** What it is called, without the name of its server. */
  readonly name?: string;
  readonly description?: string;
  /** It is found by search_tools and can be called, and stands in no list. */
  readonly isHidden?: boolean;
}

/** Decides what clients see of the tools of one server. */
export interface ToolFilter {
  /**
   * @param tool as its server calls it
   * @returns `false` for a tool that is not to exist for clients, undefined for one that is as its server has it
   */
  shown(tool: string): ToolShown | false | undefined;
}

/** A list as clients are to see it; what could not be done is a warning. */
export function applyToolFilter(kind: ListKind, listing: Listing, view: ToolFilter | undefined): Listing {
  if (kind !== 'tools' || view === undefined) return listing;
  const told: string[] = [];
  const names = new Set<string>();
  const shown = listing.items.flatMap((definition) => {
    const how = view.shown(definition.key);
    if (how === false) return [];
    const changed = how === undefined ? definition : changedBy(how, definition);
    if (!names.has(changed.key)) {
      names.add(changed.key);
      return [changed];
    }
    told.push(`two of its tools would be called "${changed.key}": the second one is left out`);
    return [];
  });
  return { items: shown, warnings: [...listing.warnings, ...told] };
}

function changedBy({ name, description, isHidden }: ToolShown, definition: Definition): Definition {
  const described = description === undefined ? definition : withDescription(definition, description);
  return {
    ...described,
    // What the server is called with stays what it wrote.
    ...(name !== undefined && { key: name }),
    ...(isHidden === true && { isHidden }),
  };
}
