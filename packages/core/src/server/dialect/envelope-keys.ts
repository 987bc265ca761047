/** The `_meta` keys under which a request of the modern era describes its client. */
export const CLIENT_META_KEYS = {
  version: 'io.modelcontextprotocol/protocolVersion',
  info: 'io.modelcontextprotocol/clientInfo',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
} as const;

/** The paths of the keys in {@link CLIENT_META_KEYS}, below `params`. */
export const ENVELOPE_PATHS = Object.values(CLIENT_META_KEYS).map((key) => ['_meta', key] as const);

/** Returns the path of a key in {@link CLIENT_META_KEYS}, as a message reader reports it. */
export function envelopePath(part: keyof typeof CLIENT_META_KEYS): string {
  return pathOf(CLIENT_META_KEYS[part]);
}

/** The paths of all keys in {@link CLIENT_META_KEYS}, as a message reader reports them. */
export const REPORTED_ENVELOPE_PATHS: readonly string[] = Object.values(CLIENT_META_KEYS).map(pathOf);

function pathOf(key: string): string {
  return `_meta.${key}`;
}
