import type { IncomingMessage } from 'node:http';

/** The headers that the SDK's transport reads. The body is parsed before. */
const FORWARDED = [
  'accept',
  'content-type',
  'last-event-id',
  'mcp-protocol-version',
  'mcp-session-id',
] as const;

/** A request of the Fetch API without its body. Credentials are left out. */
export function webRequest(request: IncomingMessage): Request {
  const headers = new Headers();
  for (const name of FORWARDED) {
    const value = request.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  return new Request('http://mcpmux/mcp', { method: request.method ?? 'GET', headers });
}
