import { isScalar, stringify, type YAMLMap } from 'yaml';

import { entryOf, notPlain, type YamlEntry, type YamlPlace } from './yaml-document.js';

/** Puts an entry in as the first of a mapping in lines: what follows, comments included, stays together. */
export function insertFirst(
  text: string,
  { map, owner }: YamlPlace & { readonly owner: YamlEntry },
  name: string,
  value: unknown,
): string {
  const first = firstOf(map);
  const at = lineEnd(text, owner.keyStart);
  const column = first.keyStart - lineStart(text, first.keyStart);
  if (first.keyStart < at) throw notPlain();
  const step = Math.max(2, column - (owner.keyStart - lineStart(text, owner.keyStart)));
  return withLines(text, at, { name, value, column, step });
}

/** Puts an entry behind all others of the mapping at the top. */
export function insertLast(text: string, map: YAMLMap | undefined, name: string, value: unknown): string {
  const first = map === undefined ? undefined : firstOf(map);
  const column = first === undefined ? 0 : first.keyStart - lineStart(text, first.keyStart);
  return withLines(text, text.length, { name, value, column, step: 2 });
}

/** Gives an entry without a value, or with an empty one, its first entry in lines below it. */
export function fillEmpty(text: string, owner: YamlEntry, name: string, value: unknown): string {
  const { colonEnd, valueEnd, keyStart } = owner;
  const emptied = text.slice(0, colonEnd) + text.slice(valueEnd);
  const column = keyStart - lineStart(text, keyStart) + 2;
  return withLines(emptied, lineEnd(emptied, keyStart), { name, value, column, step: 2 });
}

/** Takes the lines of an entry away; of the only one, its owner keeps an empty mapping. */
export function removeBlock(text: string, { map, owner }: YamlPlace, entry: YamlEntry): string {
  const start = lineStart(text, entry.keyStart);
  if (text.slice(start, entry.keyStart).replace('\uFEFF', '').trim() !== '') throw notPlain();
  const end = lineEnd(text, Math.max(entry.keyStart, entry.valueEnd - 1));
  const rest = text.slice(end);
  if (map.items.length > 1 || owner === undefined) return text.slice(0, start) + rest;
  return `${text.slice(0, owner.colonEnd)} {}${text.slice(owner.colonEnd, start)}${rest}`;
}

/** Puts a value into the place of another, in lines of its own. */
export function replaceBlock(text: string, entry: YamlEntry, name: string, value: unknown): string {
  const start = lineStart(text, entry.keyStart);
  const column = entry.keyStart - start;
  if (text.slice(start, entry.keyStart).trim() !== '') throw notPlain();
  const end = lineEnd(text, Math.max(entry.keyStart, entry.valueEnd - 1));
  return withLines(text.slice(0, start) + text.slice(end), start, { name, value, column, step: 2 });
}

interface NewLines {
  readonly name: string;
  readonly value: unknown;
  readonly column: number;
  /** Spaces of one level. */
  readonly step: number;
}

function withLines(text: string, at: number, { name, value, column, step }: NewLines): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const before = text.slice(0, at);
  const block = stringify({ [name]: value }, { indent: step, lineWidth: 0 })
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? line : ' '.repeat(column) + line))
    .join(eol);
  const gap = /(?:^\uFEFF?|\n)$/.test(before) ? '' : eol;
  return `${before}${gap}${block}${eol}${text.slice(at)}`;
}

function firstOf({ items }: YAMLMap): YamlEntry {
  const [first] = items;
  if (first === undefined || !isScalar(first.key)) throw notPlain();
  return entryOf(first);
}

function lineStart(text: string, offset: number): number {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return start === 0 && text.startsWith('\uFEFF') ? 1 : start;
}

function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end + 1;
}
