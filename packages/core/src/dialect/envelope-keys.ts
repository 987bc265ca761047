/** The keys of `_meta` in which a request of the modern era describes its client. */
export const ENVELOPE = {
  version: 'io.modelcontextprotocol/protocolVersion',
  info: 'io.modelcontextprotocol/clientInfo',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
} as const;

/** Where the keys of {@link ENVELOPE} stand, below `params`. */
export const ENVELOPE_PATHS = Object.values(ENVELOPE).map((key) => ['_meta', key] as const);

/** The path under which a reader finds a key of {@link ENVELOPE}. */
export function envelopePath(key: keyof typeof ENVELOPE): string {
  return `_meta.${ENVELOPE[key]}`;
}
