import type { IncomingMessage } from 'node:http';

/** What the SDK's transport reads of a request. The body is read and parsed before. */
const FORWARDED = [
  'accept',
  'content-type',
  'last-event-id',
  'mcp-protocol-version',
  'mcp-session-id',
] as const;

/** A request of the Fetch API without its body. Credentials stay behind. */
export function webRequest(request: IncomingMessage): Request {
  const headers = new Headers();
  for (const name of FORWARDED) {
    const value = request.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  return new Request('http://mcpmux/mcp', { method: request.method ?? 'GET', headers });
}
