import type { IncomingMessage, ServerResponse } from 'node:http';

const REQUEST_HEADERS =
  'accept, authorization, content-type, last-event-id, mcp-protocol-version, mcp-session-id';
const RESPONSE_HEADERS = 'mcp-session-id, www-authenticate';
const PREFLIGHT_SECONDS = '600';

/** Lets a page whose Origin has passed the check read the answer. */
export function shareWith(request: IncomingMessage, response: ServerResponse): void {
  const { origin } = request.headers;
  if (origin === undefined) return;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-expose-headers', RESPONSE_HEADERS);
  response.setHeader('vary', 'origin');
}

/** What a browser asks before it lets a page send headers of its own. */
export function answerPreflight(response: ServerResponse): void {
  response.writeHead(204, {
    'access-control-allow-methods': 'GET, POST, DELETE',
    'access-control-allow-headers': REQUEST_HEADERS,
    'access-control-max-age': PREFLIGHT_SECONDS,
  });
  response.end();
}
