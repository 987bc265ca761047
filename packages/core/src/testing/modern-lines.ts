/** The envelope of a request of the modern era, as JSON text without its braces. */
export function envelope(capabilities: object = {}, more: object = {}): string {
  const members = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    ...more,
  };
  return JSON.stringify(members).slice(1, -1);
}

/** What a test may say about a request of the modern era beside its params. */
export interface ModernInit {
  readonly capabilities?: object;
  /** Further members of `_meta`. */
  readonly meta?: object;
}

/** A request of the modern era, a line. */
export function modernLine(
  id: string,
  method: string,
  params: object = {},
  { capabilities, meta }: ModernInit = {},
): string {
  const own = JSON.stringify(params).slice(1, -1);
  const inner = `${own === '' ? '' : `${own},`}"_meta":{${envelope(capabilities, meta)}}`;
  return `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":{${inner}}}`;
}
