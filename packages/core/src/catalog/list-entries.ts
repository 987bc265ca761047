import { type Edit, splice } from '@mcpmux/wire';
import type { Definition } from '../server/lists/definition.js';
import { listEntry, type ExposedDefinition } from './exposed-definition.js';
import { uiResourcesOf } from './ui-resource.js';

/** A tool as it stands in `tools/list`: its server's bytes, its name and the URIs of its user interface replaced. */
export function toolEntry(tool: ExposedDefinition, aliases: ReadonlyMap<string, string>): Buffer {
  const { definition } = tool;
  const edits: Edit[] = [];
  // Nearly no server has an alias, and then there is nothing to look for.
  for (const { uri, span } of aliases.size === 0 ? [] : uiResourcesOf(definition)) {
    const alias = aliases.get(uri);
    if (alias !== undefined) edits.push({ span, bytes: JSON.stringify(alias) });
  }
  return listEntry(tool, edits);
}

/** A resource or template as it stands in its list: its server's bytes, the URI replaced where it has an alias. */
export function resourceEntry(
  { key, keySpan, bytes }: Definition,
  aliases: ReadonlyMap<string, string>,
): Buffer {
  const alias = aliases.get(key);
  if (alias === undefined) return bytes;
  return splice(bytes, [{ span: keySpan, bytes: JSON.stringify(alias) }]).subarray(0, -1);
}
