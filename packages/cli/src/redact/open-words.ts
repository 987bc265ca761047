import { isDeepStrictEqual } from 'node:util';

import { isObject, type JsonObject } from '@mcpmux/clients';

import { redactEntry } from './entry.js';

const COMMAND_KEYS = ['command', 'cmd', 'url', 'serverUrl', 'httpUrl', 'baseUrl'];

/** Returns the strings, except secrets, of each server entry that a change affects. A diff displays them for review. */
export function visibleEntryWords(before: unknown, after: unknown): readonly string[] {
  if (isDeepStrictEqual(before, after)) return [];
  const sides = [before, after].filter(isObject);
  if (sides.some(isServer)) return sides.flatMap((entry) => textsIn(redactEntry(withArgs(entry))));
  const keys = new Set(sides.flatMap((side) => Object.keys(side)));
  return [...keys].flatMap((key) => visibleEntryWords(memberOf(before, key), memberOf(after, key)));
}

function memberOf(document: unknown, key: string): unknown {
  return isObject(document) ? document[key] : undefined;
}

function isServer(entry: JsonObject): boolean {
  return COMMAND_KEYS.some((key) => typeof entry[key] === 'string' || Array.isArray(entry[key]));
}

/** Moves a `command` that lists the whole command line to `args`, so that secrets in its arguments are masked. */
function withArgs({ command, ...rest }: JsonObject): JsonObject {
  return Array.isArray(command) ? { ...rest, args: command } : { ...rest, command };
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
