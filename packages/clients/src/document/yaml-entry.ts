import { Document, isMap, isNode, isScalar, stringify, type Pair, type YAMLMap } from 'yaml';

import { withValue } from '../json/json-object.js';
import { DocumentError } from './document-error.js';

/** An entry in a mapping, with its offsets in the text. */
export interface YamlEntry {
  readonly map: YAMLMap;
  readonly pair: Pair;
  /** The offset of the key. */
  readonly start: number;
  /** The offset just after the key's colon. */
  readonly colonEnd: number;
  readonly valueEnd: number;
}

/** The deepest existing value on a key path without its last key. */
interface YamlLocation {
  readonly node: unknown;
  /** The entry whose value is `node`. Undefined at the top level. */
  readonly ownerEntry: YamlEntry | undefined;
  /** The keys of the path below `node`. Includes at least the last key. */
  readonly remainingKeys: readonly string[];
}

/** Returns the entry at a key path. */
export function entryAt(
  text: string,
  document: Document.Parsed,
  path: readonly string[],
): YamlEntry | undefined {
  const { node, remainingKeys } = locationOf(text, document, path);
  return remainingKeys.length === 1 ? findEntry(text, node, remainingKeys[0]) : undefined;
}

/** Returns the text with the value at a key path added or replaced. */
export function setEntry(
  text: string,
  document: Document.Parsed,
  path: readonly string[],
  value: unknown,
): string {
  const { node, ownerEntry, remainingKeys } = locationOf(text, document, path);
  const [name = '', ...inner] = remainingKeys;
  const leaf = inner.length === 0 ? value : withValue({}, inner, value);
  if (ownerEntry !== undefined && hasEmptyValue(text, ownerEntry))
    return fillEmptyEntry(text, ownerEntry, name, leaf);
  if (isMap(node) && node.flow === true) return reprintMapping(text, node, () => node.set(name, leaf));
  const column = isMap(node) ? columnOfMap(text, node) : 0;
  const old = findEntry(text, node, name);
  if (old !== undefined) {
    const [start, end] = lineRangeOf(text, old);
    return withLines(text.slice(0, start) + text.slice(end), start, { name, value: leaf, column });
  }
  if (ownerEntry === undefined) return withLines(text, text.length, { name, value: leaf, column });
  if (!isMap(node)) throw unsupportedError();
  // Insert the entry before the others, so that the comments above them stay with them.
  return withLines(text, lineEnd(text, ownerEntry.start), {
    name,
    value: leaf,
    column,
    parent: columnAt(text, ownerEntry.start),
  });
}

/** Returns the text without the entry at a key path. */
export function removeEntry(text: string, document: Document.Parsed, path: readonly string[]): string {
  const { node, ownerEntry, remainingKeys } = locationOf(text, document, path);
  const entry = remainingKeys.length === 1 ? findEntry(text, node, remainingKeys[0]) : undefined;
  if (entry === undefined) return text;
  const { map, pair } = entry;
  if (map.flow === true) return reprintMapping(text, map, () => map.delete(pair.key));
  const [start, end] = lineRangeOf(text, entry);
  if (map.items.length > 1 || ownerEntry === undefined) return text.slice(0, start) + text.slice(end);
  return `${text.slice(0, ownerEntry.colonEnd)} {}${text.slice(ownerEntry.colonEnd, start)}${text.slice(end)}`;
}

function locationOf(text: string, { contents }: Document.Parsed, path: readonly string[]): YamlLocation {
  let location: YamlLocation = { node: contents, ownerEntry: undefined, remainingKeys: path };
  while (location.remainingKeys.length > 1) {
    const ownerEntry = findEntry(text, location.node, location.remainingKeys[0]);
    if (ownerEntry === undefined) return location;
    location = { node: ownerEntry.pair.value, ownerEntry, remainingKeys: location.remainingKeys.slice(1) };
  }
  return location;
}

function findEntry(text: string, map: unknown, name: string | undefined): YamlEntry | undefined {
  if (!isMap(map)) return undefined;
  const pair = map.items.find(({ key }) => isScalar(key) && key.value === name);
  const key = isScalar(pair?.key) ? pair.key.range : undefined;
  if (pair === undefined || !key) return undefined;
  const [start, keyEnd] = key;
  const colonEnd = text.indexOf(':', keyEnd) + 1;
  const [, valueEnd] = (isNode(pair.value) ? pair.value.range : undefined) ?? [colonEnd, colonEnd];
  return { map, pair, start, colonEnd, valueEnd };
}

/** True if the entry's value is absent, `null` or `{}`. Always false in a flow mapping. */
function hasEmptyValue(text: string, { map, colonEnd, valueEnd }: YamlEntry): boolean {
  return map.flow !== true && /^[ \t]*(?:~|null|\{[ \t]*\})?$/.test(text.slice(colonEnd, valueEnd));
}

function fillEmptyEntry(
  text: string,
  { start, colonEnd, valueEnd }: YamlEntry,
  name: string,
  value: unknown,
): string {
  const emptied = text.slice(0, colonEnd) + text.slice(valueEnd);
  return withLines(emptied, lineEnd(emptied, start), { name, value, column: columnAt(text, start) + 2 });
}

/** Applies a change to a flow mapping (`{…}`), and prints the mapping again with its comments. */
function reprintMapping(text: string, map: YAMLMap, change: () => unknown): string {
  const [start, end] = map.range ?? [];
  if (start === undefined || end === undefined) throw unsupportedError();
  const inside = text.slice(start, end);
  const [comment] = map.comment?.split('\n') ?? [];
  // A comment after the closing brace remains in the text, so it is not printed again.
  if (comment !== undefined && !inside.includes(comment)) map.comment = null;
  map.commentBefore = null;
  change();
  return text.slice(0, start) + new Document(map).toString({ lineWidth: 0 }).trimEnd() + text.slice(end);
}

interface NewEntry {
  readonly name: string;
  readonly value: unknown;
  readonly column: number;
  /** The column of the entry whose value is the new entry's mapping. By default, `column` minus 2. */
  readonly parent?: number;
}

function withLines(text: string, at: number, { name, value, column, parent = column - 2 }: NewEntry): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const before = text.slice(0, at);
  const block = stringify({ [name]: value }, { indent: Math.max(2, column - parent), lineWidth: 0 })
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? line : ' '.repeat(column) + line))
    .join(eol);
  const gap = /(?:^\uFEFF?|\n)$/.test(before) ? '' : eol;
  return `${before}${gap}${block}${eol}${text.slice(at)}`;
}

/** Returns the offsets where an entry's lines start and end. Throws if other text precedes the entry on its line. */
function lineRangeOf(text: string, { start, valueEnd }: YamlEntry): readonly [start: number, end: number] {
  return [start - columnAt(text, start), lineEnd(text, Math.max(start, valueEnd - 1))];
}

function columnOfMap(text: string, { items: [first] }: YAMLMap): number {
  const range = isScalar(first?.key) ? first.key.range : undefined;
  if (!range) throw unsupportedError();
  return columnAt(text, range[0]);
}

/** @throws DocumentError if the line has anything but white space before the offset */
function columnAt(text: string, offset: number): number {
  const before = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset).replace('\uFEFF', '');
  if (before.trim() !== '') throw unsupportedError();
  return before.length;
}

function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end + 1;
}

function unsupportedError(): DocumentError {
  return new DocumentError(
    'the YAML here has a layout that mcpmux cannot edit without rewriting other parts of the file',
  );
}
