import type { YAMLMap } from 'yaml';

import { oneLine } from './json-text.js';
import { entryOf, notPlain, type YamlEntry } from './yaml-document.js';

/** Puts an entry in as the first of a mapping in braces: JSON on one line is YAML too. */
export function insertFlow(text: string, map: YAMLMap, name: string, value: unknown): string {
  const entry = `${oneLine(name)}: ${oneLine(value)}`;
  const [first] = map.items;
  const start = map.range?.[0];
  if (start === undefined) throw notPlain();
  if (first === undefined) return `${text.slice(0, start + 1)}${entry}${text.slice(start + 1)}`;
  const { keyStart } = entryOf(first);
  return `${text.slice(0, keyStart)}${entry}, ${text.slice(keyStart)}`;
}

/** Takes an entry out of a mapping in braces, with one comma. */
export function removeFlow(text: string, map: YAMLMap, { pair, keyStart, valueEnd }: YamlEntry): string {
  const behind = text.slice(valueEnd);
  const [comma = ''] = /^\s*,(?: (?! ))?/.exec(behind) ?? [];
  if (comma !== '' || map.items.length === 1) {
    return text.slice(0, keyStart) + text.slice(valueEnd + comma.length);
  }
  const previous = map.items[map.items.indexOf(pair) - 1];
  const previousEnd = previous === undefined ? undefined : entryOf(previous).valueEnd;
  if (previousEnd === undefined || !/^\s*,\s*$/.test(text.slice(previousEnd, keyStart))) throw notPlain();
  return text.slice(0, previousEnd) + behind;
}

/** Puts a value into the place of another. */
export function replaceFlow(text: string, { valueStart, valueEnd }: YamlEntry, value: unknown): string {
  const gap = text[valueStart - 1] === ':' ? ' ' : '';
  return text.slice(0, valueStart) + gap + oneLine(value) + text.slice(valueEnd);
}
