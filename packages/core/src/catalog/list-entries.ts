import { EACH, type Edit, splice, type Span, stringAt, valuePaths, valueSpans } from '@mcpmux/wire';
import type { Definition } from '../server/lists/definition.js';
import { listEntry, type ExposedDefinition } from './exposed-definition.js';

/** Returns the `tools/list` entry: the server's bytes, with the exposed name and the aliases of the UI resources. */
export function toolEntry(tool: ExposedDefinition, aliases: ReadonlyMap<string, string>): Buffer {
  const { definition } = tool;
  const edits: Edit[] = [];
  // Almost no server has aliases, so the search is usually skipped.
  for (const { uri, span } of aliases.size === 0 ? [] : uiResourcesOf(definition)) {
    const alias = aliases.get(uri);
    if (alias !== undefined) edits.push({ span, bytes: JSON.stringify(alias) });
  }
  return listEntry(tool, edits);
}

/** Returns the list entry of a resource or template: the server's bytes, with the URI's alias, if any. */
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
 * True if clients that support MCP Apps need the tool in their list, because an app shows the tool's result or calls
 * the tool.
 *
 * @param entry the tool's entry in `tools/list`
 */
export function isNeededByApps(entry: Buffer): boolean {
  if (!entry.includes('"ui')) return false;
  const whole = { start: 0, end: entry.length };
  const texts = (paths: typeof URI_PATHS): readonly (string | undefined)[] =>
    valueSpans(entry, whole, paths).map(({ span }) => stringAt(entry, span));
  return texts(URI_PATHS).some((uri) => uri?.startsWith('ui://')) || texts(VISIBILITY_PATHS).includes('app');
}

/** Returns the UI resources that a tool's `_meta` names. Resource lists need not contain them. */
export function uiResourcesOf({ bytes, metaSpan }: Definition): readonly UiResource[] {
  if (metaSpan === undefined || !bytes.includes('resourceUri', metaSpan.start)) return [];
  return valueSpans(bytes, { start: 0, end: bytes.length }, URI_PATHS).flatMap(({ span }) => {
    const uri = stringAt(bytes, span);
    return uri === undefined ? [] : [{ uri, span }];
  });
}
