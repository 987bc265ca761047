import {
  isMap,
  isNode,
  isScalar,
  parseDocument,
  YAMLParseError,
  type Document,
  type Pair,
  type YAMLMap,
} from 'yaml';

import { DocumentError } from './document-error.js';

/** One entry of a mapping, by its offsets in the text. */
export interface YamlEntry {
  readonly pair: Pair;
  readonly keyStart: number;
  readonly keyEnd: number;
  /** Right behind the colon. */
  readonly colonEnd: number;
  readonly valueStart: number;
  readonly valueEnd: number;
}

/** The deepest mapping on the way along a path of keys. */
export interface YamlPlace {
  readonly map: YAMLMap;
  /** The entry whose value the mapping is; undefined at the top. */
  readonly owner: YamlEntry | undefined;
  /** The mapping that the owner stands in. */
  readonly above: YAMLMap | undefined;
  /** Keys that are not there yet, or only as the last of the path. */
  readonly rest: readonly string[];
}

/** @throws DocumentError with the position */
export function yamlDocument(text: string): Document.Parsed {
  const document = parseDocument(text, { keepSourceTokens: true });
  const [fault] = document.errors;
  if (!(fault instanceof YAMLParseError)) return document;
  const [message = ''] = fault.message.split('\n', 1);
  const [start] = fault.linePos ?? [];
  throw new DocumentError(`not valid YAML: ${message}`, start && { line: start.line, column: start.col });
}

/** Follows a path of keys as far as there are mappings; undefined for a document without any. */
export function deepestMap(document: Document.Parsed, path: readonly string[]): YamlPlace | undefined {
  if (!isMap(document.contents)) return undefined;
  let place: YamlPlace = { map: document.contents, owner: undefined, above: undefined, rest: path };
  while (place.rest.length > 1) {
    const pair = pairOf(place.map, place.rest[0]);
    if (!isMap(pair?.value)) return place;
    place = { map: pair.value, owner: entryOf(pair), above: place.map, rest: place.rest.slice(1) };
  }
  return place;
}

/** The entry of that key. */
export function pairOf({ items }: YAMLMap, name: string | undefined): Pair | undefined {
  return items.find(({ key }) => isScalar(key) && key.value === name);
}

/**
 * Where an entry stands.
 *
 * @throws DocumentError for one with an anchor, a tag, an alias or an explicit key: it is more than its text
 */
export function entryOf(pair: Pair): YamlEntry {
  const { key, value, srcToken } = pair;
  const start = srcToken?.start ?? [];
  const sep = srcToken !== undefined && 'sep' in srcToken ? (srcToken.sep ?? []) : [];
  const colon = sep.find(({ type }) => type === 'map-value-ind');
  const isSpecial = [...start, ...sep].some(({ type }) => SPECIAL.has(type));
  const keyRange = isScalar(key) ? key.range : undefined;
  if (isSpecial || colon === undefined || !keyRange) throw notPlain();
  const [keyStart, keyEnd] = keyRange;
  const colonEnd = 'offset' in colon ? colon.offset + 1 : keyEnd + 1;
  const [valueStart, valueEnd] = (isNode(value) ? value.range : undefined) ?? [colonEnd, colonEnd];
  return { pair, keyStart, keyEnd, colonEnd, valueStart, valueEnd };
}

/** The mapping is of a shape in which no text can be put in or cut out safely. */
export function notPlain(): DocumentError {
  return new DocumentError(
    'the YAML here has anchors, tags or a layout that mcpmux cannot edit without rewriting other parts of the file',
  );
}

const SPECIAL: ReadonlySet<string> = new Set(['anchor', 'tag', 'explicit-key-ind']);
