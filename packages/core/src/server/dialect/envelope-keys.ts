/** The `_meta` keys with which a modern client describes itself in each request. */
export const CLIENT_META_KEYS = {
  version: 'io.modelcontextprotocol/protocolVersion',
  info: 'io.modelcontextprotocol/clientInfo',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
} as const;

/** The paths of the keys in {@link CLIENT_META_KEYS}, below `params`. */
export const ENVELOPE_PATHS = Object.values(CLIENT_META_KEYS).map((key) => ['_meta', key] as const);

/** Returns the path of a key in {@link CLIENT_META_KEYS}, in the dotted form that a message reader reports. */
export function envelopePath(part: keyof typeof CLIENT_META_KEYS): string {
  return pathOf(CLIENT_META_KEYS[part]);
}

/** The paths of all keys in {@link CLIENT_META_KEYS}, in the dotted form that a message reader reports. */
export const REPORTED_ENVELOPE_PATHS: readonly string[] = Object.values(CLIENT_META_KEYS).map(pathOf);

function pathOf(key: string): string {
  return `_meta.${key}`;
}
