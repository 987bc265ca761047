import type { JsonObject } from '../json/json-object.js';

/** A remote server's transport: Streamable HTTP or SSE. */
export type RemoteKind = 'http' | 'sse';

const URL_KEYS = ['url', 'serverUrl', 'httpUrl', 'baseUrl', 'uri'] as const;

/** Returns a remote server's URL, whose key depends on the client. Returns undefined for a local server. */
export function remoteUrl(entry: JsonObject): string | undefined {
  if (typeof entry['command'] === 'string') return undefined;
  return URL_KEYS.map((key) => entry[key]).find((value): value is string => typeof value === 'string');
}

/** Returns the transport, which is Streamable HTTP unless the type is SSE. */
export function remoteKind({ type }: JsonObject): RemoteKind {
  return type === 'sse' ? 'sse' : 'http';
}

/** Returns the entry without its URL and `type`. */
export function withoutRemote(entry: JsonObject): JsonObject {
  const names = new Set<string>([...URL_KEYS, 'type']);
  return Object.fromEntries(Object.entries(entry).filter(([key]) => !names.has(key)));
}
