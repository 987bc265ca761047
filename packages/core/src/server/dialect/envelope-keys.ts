/** The keys in `_meta` with which a request of the modern era describes its client. */
export const ENVELOPE = {
  version: 'io.modelcontextprotocol/protocolVersion',
  info: 'io.modelcontextprotocol/clientInfo',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
} as const;

/** The paths of the keys in {@link ENVELOPE}, below `params`. */
export const ENVELOPE_PATHS = Object.values(ENVELOPE).map((key) => ['_meta', key] as const);

/** Returns the path of a key in {@link ENVELOPE}, as a message reader reports it. */
export function envelopePath(part: keyof typeof ENVELOPE): string {
  return pathOf(ENVELOPE[part]);
}

/** The paths of all keys in {@link ENVELOPE}, as a message reader reports them. */
export const ENVELOPE_KEYS: readonly string[] = Object.values(ENVELOPE).map(pathOf);

function pathOf(key: string): string {
  return `_meta.${key}`;
}
