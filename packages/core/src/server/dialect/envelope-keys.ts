/** The keys in `_meta` under which a request of the modern era describes its client. */
export const ENVELOPE = {
  version: 'io.modelcontextprotocol/protocolVersion',
  info: 'io.modelcontextprotocol/clientInfo',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
} as const;

/** The paths of the keys in {@link ENVELOPE}, below `params`. */
export const ENVELOPE_PATHS = Object.values(ENVELOPE).map((key) => ['_meta', key] as const);

/** Returns the path under which a reader finds a key from {@link ENVELOPE}. */
export function envelopePath(part: keyof typeof ENVELOPE): string {
  return pathOf(ENVELOPE[part]);
}

/** The paths under which a reader finds the keys from {@link ENVELOPE}. */
export const ENVELOPE_KEYS: readonly string[] = Object.values(ENVELOPE).map(pathOf);

function pathOf(key: string): string {
  return `_meta.${key}`;
}
