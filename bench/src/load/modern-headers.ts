/** The era of a crowd of clients: with a session each, or with a description of the client in each request. */
export type ClientEra = 'legacy' | 'modern';

const METHOD = /"method":"([^"]+)"/;
const NAME = /"params":\{"name":"([^"]+)"/;

/** The headers that repeat the parts of a modern message of a `RawClient`: every POST of the modern era has them. */
export function modernHeaders(message: string): Readonly<Record<string, string>> {
  const [, method = ''] = METHOD.exec(message) ?? [];
  const [, name] = NAME.exec(message) ?? [];
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method };
  return name === undefined ? headers : { ...headers, 'mcp-name': name };
}
