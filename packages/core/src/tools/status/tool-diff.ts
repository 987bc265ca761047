import { isRecord } from '@mcpmux/kit';
import type { Definition } from '../../server/lists/definition.js';
import { hashOf } from '../../server/lists/tool-pins.js';
import type { Upstream } from '../../server/upstream.js';

/** The difference between a server's tools now and in its previous run, by local name. */
export interface ToolDiff {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Tools with the same name and a different definition. */
  readonly changed: readonly string[];
}

/** Compares the tools of a server's current run with the tools of its previous run. */
export function toolDiff({ offer: { lists, listsBefore } }: Upstream): ToolDiff {
  const before = byKey(listsBefore.tools);
  const after = byKey(lists.tools);
  return {
    added: [...after.keys()].filter((key) => !before.has(key)),
    removed: [...before.keys()].filter((key) => !after.has(key)),
    changed: [...after].flatMap(([key, definition]) => {
      const old = before.get(key);
      return old === undefined || isSame(old, definition) ? [] : [key];
    }),
  };
}

/** True if two definitions are the same, apart from the order of members and a default that a bridge omits. */
function isSame(a: Definition, b: Definition): boolean {
  return a.bytes.equals(b.bytes) || hashOf(withoutDefault(a)) === hashOf(withoutDefault(b));
}

/** Removes `taskSupport: 'forbidden'`, which is the default (Tasks of the 2025-11-25 revision). */
function withoutDefault({ bytes }: Definition): unknown {
  const tool: unknown = JSON.parse(bytes.toString('utf8'));
  if (!isRecord(tool) || !isRecord(tool['execution'])) return tool;
  const { execution, ...others } = tool;
  const { taskSupport, ...further } = execution;
  const isDefault = taskSupport === 'forbidden' && Object.keys(further).length === 0;
  return isDefault ? others : tool;
}

function byKey(definitions: readonly Definition[]): ReadonlyMap<string, Definition> {
  return new Map(definitions.map((definition) => [definition.key, definition]));
}
