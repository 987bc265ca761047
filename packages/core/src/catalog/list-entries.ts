import { EACH, type Edit, splice, type Span, stringAt, valuePaths, valueSpans } from '@mcpmux/wire';
import type { Definition } from '../server/lists/definition.js';
import { listEntry, type ExposedDefinition } from './exposed-definition.js';

/** Returns a tool for `tools/list`: its server's bytes with the exposed name and the aliases of its UI resources. */
export function toolEntry(tool: ExposedDefinition, aliases: ReadonlyMap<string, string>): Buffer {
  const { definition } = tool;
  const edits: Edit[] = [];
  // Skips the search if the server has no aliases. Almost no server has any.
  for (const { uri, span } of aliases.size === 0 ? [] : uiResourcesOf(definition)) {
    const alias = aliases.get(uri);
    if (alias !== undefined) edits.push({ span, bytes: JSON.stringify(alias) });
  }
  return listEntry(tool, edits);
}

/** Returns a resource or template for its list: its server's bytes, with the alias, if any, as the URI. */
export function resourceEntry(
  { key, keySpan, bytes }: Definition,
  aliases: ReadonlyMap<string, string>,
): Buffer {
  const alias = aliases.get(key);
  if (alias === undefined) return bytes;
  return splice(bytes, [{ span: keySpan, bytes: JSON.stringify(alias) }]).subarray(0, -1);
}

/** A resource that a tool names as its user interface (MCP Apps, SEP-1865). */
interface UiResource {
  readonly uri: string;
  readonly span: Span;
}

const URI_PATHS = valuePaths([
  ['_meta', 'ui', 'resourceUri'],
  ['_meta', 'ui/resourceUri'],
]);

const VISIBILITY_PATHS = valuePaths([['_meta', 'ui', 'visibility', EACH]]);

/**
 * True if a client that shows MCP Apps needs the tool in its list, because an app's page shows the tool's result or
 * calls the tool.
 *
 * @param entry the tool in `tools/list`
 */
export function isNeededByApps(entry: Buffer): boolean {
  if (!entry.includes('"ui')) return false;
  const whole = { start: 0, end: entry.length };
  const texts = (paths: typeof URI_PATHS): readonly (string | undefined)[] =>
    valueSpans(entry, whole, paths).map(({ span }) => stringAt(entry, span));
  return texts(URI_PATHS).some((uri) => uri?.startsWith('ui://')) || texts(VISIBILITY_PATHS).includes('app');
}

/** Returns the UI resources that a tool's `_meta` names. They need not be in a resource list. */
export function uiResourcesOf({ bytes, metaSpan }: Definition): readonly UiResource[] {
  if (metaSpan === undefined || !bytes.includes('resourceUri', metaSpan.start)) return [];
  return valueSpans(bytes, { start: 0, end: bytes.length }, URI_PATHS).flatMap(({ span }) => {
    const uri = stringAt(bytes, span);
    return uri === undefined ? [] : [{ uri, span }];
  });
}
