import { isDeepStrictEqual } from 'node:util';

import { isObject, type JsonObject } from '@mcpmux/clients';

import { redactEntry } from './entry.js';

const COMMAND_KEYS = ['command', 'cmd', 'url', 'serverUrl', 'httpUrl', 'baseUrl'];

/**
 * Returns the words that may be shown for servers that differ between two documents. A person who must accept these
 * servers has to be able to read them.
 */
export function openWords(before: unknown, after: unknown): readonly string[] {
  if (isDeepStrictEqual(before, after)) return [];
  const sides = [before, after].filter(isObject);
  if (sides.some(isServer)) return sides.flatMap((entry) => textsIn(redactEntry(withArguments(entry))));
  const keys = new Set(sides.flatMap((side) => Object.keys(side)));
  return [...keys].flatMap((key) => openWords(valueIn(before, key), valueIn(after, key)));
}

function valueIn(document: unknown, key: string): unknown {
  return isObject(document) ? document[key] : undefined;
}

function isServer(entry: JsonObject): boolean {
  return COMMAND_KEYS.some((key) => typeof entry[key] === 'string' || Array.isArray(entry[key]));
}

/** Masks a command line in a single list in the same way as arguments. */
function withArguments({ command, ...rest }: JsonObject): JsonObject {
  return Array.isArray(command) ? { ...rest, args: command } : { ...rest, command };
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
