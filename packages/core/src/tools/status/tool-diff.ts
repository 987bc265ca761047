import { isRecord } from '@mcpmux/kit';
import type { Definition } from '../../server/lists/definition.js';
import { hashOf } from '../../server/lists/tool-pins.js';
import type { Upstream } from '../../server/upstream.js';

/** The difference between a server's current tools and the tools of its previous run, by local name. */
export interface ToolDiff {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Tools with the same name and a different definition. */
  readonly changed: readonly string[];
}

/** Compares the tools of a server's current and previous runs. */
export function toolDiff({ offer: { lists, previousLists } }: Upstream): ToolDiff {
  const before = definitionsByKey(previousLists.tools);
  const after = definitionsByKey(lists.tools);
  return {
    added: [...after.keys()].filter((key) => !before.has(key)),
    removed: [...before.keys()].filter((key) => !after.has(key)),
    changed: [...after].flatMap(([key, definition]) => {
      const previousDefinition = before.get(key);
      return previousDefinition === undefined || isSameDefinition(previousDefinition, definition)
        ? []
        : [key];
    }),
  };
}

/** True if two definitions are equal, ignoring the order of members and a default that a bridge omits. */
function isSameDefinition(a: Definition, b: Definition): boolean {
  return (
    a.bytes.equals(b.bytes) || hashOf(withoutDefaultTaskSupport(a)) === hashOf(withoutDefaultTaskSupport(b))
  );
}

/** Removes `taskSupport: 'forbidden'`, which is the default (Tasks of the 2025-11-25 revision). */
function withoutDefaultTaskSupport({ bytes }: Definition): unknown {
  const tool: unknown = JSON.parse(bytes.toString('utf8'));
  if (!isRecord(tool) || !isRecord(tool['execution'])) return tool;
  const { execution, ...others } = tool;
  const { taskSupport, ...further } = execution;
  const isDefault = taskSupport === 'forbidden' && Object.keys(further).length === 0;
  return isDefault ? others : tool;
}

function definitionsByKey(definitions: readonly Definition[]): ReadonlyMap<string, Definition> {
  return new Map(definitions.map((definition) => [definition.key, definition]));
}
