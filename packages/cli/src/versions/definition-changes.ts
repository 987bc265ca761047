import { isDeepStrictEqual } from 'node:util';

import type { JsonObject } from '@mcpmux/clients';

/** The members of a tool definition that models see. Other members, such as `icons` or `_meta`, are not compared. */
const COMPARED_MEMBERS = ['title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const;

/** The differences between the tools of two server versions, by local name. */
export interface DefinitionChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly { readonly tool: string; readonly members: readonly string[] }[];
}

/** Compares the tools of two server versions. Ignores the order of tools and members. */
export function definitionChanges(
  before: ReadonlyMap<string, JsonObject>,
  after: ReadonlyMap<string, JsonObject>,
): DefinitionChanges {
  const changed = [...after].flatMap(([tool, definition]) => {
    const previousDefinition = before.get(tool);
    if (previousDefinition === undefined) return [];
    const members = COMPARED_MEMBERS.filter(
      (member) => !isDeepStrictEqual(previousDefinition[member], definition[member]),
    );
    return members.length === 0 ? [] : [{ tool, members }];
  });
  return {
    added: [...after.keys()].filter((tool) => !before.has(tool)),
    removed: [...before.keys()].filter((tool) => !after.has(tool)),
    changed,
  };
}
