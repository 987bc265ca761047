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
export function envelopePath(part: keyof typeof ENVELOPE): string {
  return pathOf(ENVELOPE[part]);
}

/** The paths under which a reader finds the keys of {@link ENVELOPE}. */
export const ENVELOPE_KEYS: readonly string[] = Object.values(ENVELOPE).map(pathOf);

function pathOf(key: string): string {
  return `_meta.${key}`;
}
