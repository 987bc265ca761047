import type { ServerResponse } from 'node:http';

const REQUEST_HEADERS =
  'accept, authorization, content-type, last-event-id, mcp-protocol-version, mcp-session-id';
const RESPONSE_HEADERS = 'mcp-session-id, www-authenticate';
const PREFLIGHT_SECONDS = '600';

/** Lets a page read the response. The page's Origin must have passed the check. */
export function shareWith(origin: string | undefined, response: ServerResponse): void {
  if (origin === undefined) return;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-expose-headers', RESPONSE_HEADERS);
  response.setHeader('vary', 'origin');
}

/** Answers the preflight request that a browser sends before a page may send custom headers. */
export function answerPreflight(response: ServerResponse): void {
  response.writeHead(204, {
    'access-control-allow-methods': 'GET, POST, DELETE',
    'access-control-allow-headers': REQUEST_HEADERS,
    'access-control-max-age': PREFLIGHT_SECONDS,
  });
  response.end();
}
