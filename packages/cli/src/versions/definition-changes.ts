import { isDeepStrictEqual } from 'node:util';

import type { JsonObject } from '@mcpmux/clients';

/** The members of a definition that a model gets. Changes to other members, such as icons or `_meta`, are ignored. */
const COMPARED_MEMBERS = ['title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const;

/** The differences between the tools of two versions of a server. Tools are identified by local name. */
export interface DefinitionChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly { readonly tool: string; readonly members: readonly string[] }[];
}

/** Compares tools by name, regardless of the order of tools and members. */
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
