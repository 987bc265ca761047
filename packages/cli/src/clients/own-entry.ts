import { basename } from 'node:path';

import { isObject, type JsonObject } from './json-object.js';

/** The name under which mcpmux registers itself. */
export const OWN_NAME = 'mcpmux';

const PACKAGE = /^@mcpmux\/cli(?:@.*)?$/;

/** What runs mcpmux: the published package, or with a script this installation. */
export function ownEntry(
  platform: NodeJS.Platform,
  local: { readonly node: string; readonly script: string } | undefined,
): JsonObject {
  if (local !== undefined) return { command: local.node, args: [local.script] };
  const npx = ['npx', '-y', '@mcpmux/cli'];
  // On Windows npx is a script, which only a shell runs.
  const [command, ...args] = platform === 'win32' ? ['cmd', '/c', ...npx] : npx;
  return { command, args };
}

/** True when a server is mcpmux itself: taken into a config of mcpmux, it would start itself. */
export function isOwn({ command, args }: JsonObject): boolean {
  const words: readonly unknown[] = [command, ...(Array.isArray(args) ? args : [])];
  return words.some((word) => typeof word === 'string' && isOwnWord(word));
}

function isOwnWord(word: string): boolean {
  return (
    PACKAGE.test(word) || ['mcpmux', 'mcpmux.js', 'mcpmux.cmd'].includes(basename(word.replaceAll('\\', '/')))
  );
}

/** What makes two entries the same server: its command line, or its address. */
export function endpointOf(entry: JsonObject): string {
  const { command, args, url, serverUrl, httpUrl } = entry;
  if (typeof command === 'string') return JSON.stringify([command, ...(Array.isArray(args) ? args : [])]);
  return JSON.stringify(url ?? serverUrl ?? httpUrl ?? null);
}

/** Entries that are objects, by name. */
export function entriesOf(servers: unknown): readonly (readonly [string, JsonObject])[] {
  if (!isObject(servers)) return [];
  return Object.entries(servers).flatMap(([name, entry]) =>
    isObject(entry) ? [[name, entry] as const] : [],
  );
}
