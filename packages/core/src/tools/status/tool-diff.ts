import type { Definition } from '../../upstream/lists/definition.js';
import type { Upstream } from '../../upstream/upstream.js';

/** How the tools of a server differ from those of its run before, by the names that the server gives them. */
export interface ToolDiff {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Same name, and another definition: description, schema, anything. */
  readonly changed: readonly string[];
}

/** Compares the tools of a server's present run with those of the one before. */
export function toolDiff({ offer: { lists, listsBefore } }: Upstream): ToolDiff {
  const before = byKey(listsBefore.tools);
  const after = byKey(lists.tools);
  return {
    added: [...after.keys()].filter((key) => !before.has(key)),
    removed: [...before.keys()].filter((key) => !after.has(key)),
    changed: [...after].flatMap(([key, { bytes }]) => {
      const old = before.get(key);
      return old === undefined || old.bytes.equals(bytes) ? [] : [key];
    }),
  };
}

function byKey(definitions: readonly Definition[]): ReadonlyMap<string, Definition> {
  return new Map(definitions.map((definition) => [definition.key, definition]));
}
