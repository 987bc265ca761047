import type { IncomingMessage, ServerResponse } from 'node:http';

const REQUEST_HEADERS =
  'accept, authorization, content-type, last-event-id, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id';
/** Headers that repeat tool arguments. The server chooses the names of these headers. */
const PARAMETER = /^mcp-param-[!#$%&'*+.^_`|~\w-]+$/;
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
export function answerPreflight(request: IncomingMessage, response: ServerResponse): void {
  const wanted = request.headers['access-control-request-headers'] ?? '';
  const parameters = wanted
    .split(',')
    .map((name) => name.trim())
    .filter((name) => PARAMETER.test(name));
  response.writeHead(204, {
    'access-control-allow-methods': 'GET, POST, DELETE',
    'access-control-allow-headers': [REQUEST_HEADERS, ...parameters].join(', '),
    'access-control-max-age': PREFLIGHT_SECONDS,
  });
  response.end();
}
