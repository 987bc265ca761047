import type { JsonObject } from '../json/json-object.js';

/** How a remote server is reached. */
export type RemoteKind = 'http' | 'sse';

const URL_KEYS = ['url', 'serverUrl', 'httpUrl', 'baseUrl', 'uri'] as const;

/** The address of a remote server, whatever the client calls it; undefined for a local one. */
export function remoteUrl(entry: JsonObject): string | undefined {
  if (typeof entry['command'] === 'string') return undefined;
  return URL_KEYS.map((key) => entry[key]).find((value): value is string => typeof value === 'string');
}

/** Streamable HTTP unless the type says SSE. */
export function remoteKind({ type }: JsonObject): RemoteKind {
  return type === 'sse' ? 'sse' : 'http';
}

/** The entry without any key that tells an address or how to reach it. */
export function withoutRemote(entry: JsonObject): JsonObject {
  const names = new Set<string>([...URL_KEYS, 'type']);
  return Object.fromEntries(Object.entries(entry).filter(([key]) => !names.has(key)));
}
