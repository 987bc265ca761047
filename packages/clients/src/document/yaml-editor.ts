import { isScalar, stringify, type YAMLMap } from 'yaml';

import { isObject, withValue } from '../json/json-object.js';
import type { DocumentEditor } from './document-editor.js';
import { DocumentError, positionAt } from './document-error.js';
import { fillEmpty, insertFirst, insertLast, removeBlock, replaceBlock } from './yaml-block.js';
import {
  deepestMap,
  entryOf,
  notPlain,
  pairOf,
  yamlDocument,
  type YamlEntry,
  type YamlPlace,
} from './yaml-document.js';
import { insertFlow, removeFlow, replaceFlow } from './yaml-flow.js';

/**
 * YAML: entries are put in and cut out as text, so that every other byte stays: comments, order, line ends. A file is
 * never written anew from what was parsed of it; where text cannot be edited safely, the edit is refused.
 */
export const yamlEditor: DocumentEditor = {
  parse: (text) => {
    const value = valueOf(text);
    if (value === null || value === undefined) return {};
    if (!isObject(value)) throw new DocumentError('expected a mapping', { line: 1, column: 1 });
    return value;
  },
  set,
  remove,
  positionOf: (text, path) => {
    const place = deepestMap(yamlDocument(text), path);
    const pair = place === undefined ? undefined : pairOf(place.map, place.rest[0]);
    const start = isScalar(pair?.key) ? pair.key.range?.[0] : undefined;
    return start === undefined ? undefined : positionAt(text, start);
  },
  render: (value) => stringify(value, { lineWidth: 0 }),
};

function valueOf(text: string): unknown {
  const document = yamlDocument(text);
  try {
    return document.toJS();
  } catch (error) {
    // An alias of nothing, or so many that they stand for a text without an end.
    if (error instanceof ReferenceError) throw new DocumentError(`not valid YAML: ${error.message}`);
    throw error;
  }
}

function set(text: string, path: readonly string[], value: unknown): string {
  const place = deepestMap(yamlDocument(text), path);
  const [name = '', ...rest] = place?.rest ?? path;
  const inner = rest.length === 0 ? value : withValue({}, rest, value);
  if (place === undefined) return insertLast(text, undefined, name, inner);
  const pair = pairOf(place.map, name);
  if (pair === undefined) return insert(text, place, name, inner);
  const entry = entryOf(pair);
  if (rest.length > 0) return fillNothing(text, place, entry, inner);
  return isFlow(place.map) ? replaceFlow(text, entry, value) : replaceBlock(text, entry, name, value);
}

function insert(text: string, place: YamlPlace, name: string, value: unknown): string {
  const { map, owner, above } = place;
  const isInLines = above !== undefined && !isFlow(above);
  if (isInLines && owner !== undefined && isEmptyOnOneLine(text, owner))
    return fillEmpty(text, owner, name, value);
  if (isFlow(map)) return insertFlow(text, map, name, value);
  if (owner === undefined) return insertLast(text, map, name, value);
  return insertFirst(text, { ...place, owner }, name, value);
}

/** Where a mapping is needed, and there is something else: nothing, or what is not to be lost. */
function fillNothing(text: string, { map }: YamlPlace, entry: YamlEntry, inner: unknown): string {
  const { value } = entry.pair;
  const isNothing = isScalar(value) && value.value === null;
  const [first] = isObject(inner) ? Object.entries(inner) : [];
  const isBare = text.slice(entry.colonEnd, entry.valueStart).trim() === '';
  if (!isNothing || !isBare || isFlow(map) || first === undefined) throw notPlain();
  return fillEmpty(text, entry, ...first);
}

function remove(text: string, path: readonly string[]): string {
  const place = deepestMap(yamlDocument(text), path);
  const pair = place?.rest.length === 1 ? pairOf(place.map, place.rest[0]) : undefined;
  if (place === undefined || pair === undefined) return text;
  const entry = entryOf(pair);
  return isFlow(place.map) ? removeFlow(text, place.map, entry) : removeBlock(text, place, entry);
}

/** `{}` behind a key, with nothing in it and nothing between. */
function isEmptyOnOneLine(text: string, { colonEnd, valueEnd }: YamlEntry): boolean {
  return /^[ \t]*\{[ \t]*\}$/.test(text.slice(colonEnd, valueEnd));
}

function isFlow({ flow }: YAMLMap): boolean {
  return flow === true;
}
