import type { IncomingMessage } from 'node:http';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** These alone repeat a request with its method and its body. */
const REPEATING = new Set([307, 308]);

/** Where a response sends its request, if it does. */
function targetOf(url: URL, { statusCode = 0, headers: { location } }: IncomingMessage): URL | undefined {
  if (location === undefined || !REDIRECTS.has(statusCode)) return undefined;
  return URL.canParse(location, url.href) ? new URL(location, url) : undefined;
}

/** The url to send a request to once more: one at the same server, with the same method. Credentials go nowhere else. */
export function followed(url: URL, method: string, response: IncomingMessage): URL | undefined {
  const target = targetOf(url, response);
  if (target === undefined || !isWithinOrigin(url, target)) return undefined;
  const keepsMethod = method === 'GET' || REPEATING.has(response.statusCode ?? 0);
  const isAnonymous = target.username === '' && target.password === '';
  const isSameUser = target.username === url.username && target.password === url.password;
  return keepsMethod && (isAnonymous || isSameUser) ? target : undefined;
}

/** Says of a redirect that was not followed where it leads. */
export function unfollowed(url: URL, response: IncomingMessage): string | undefined {
  const target = targetOf(url, response);
  if (target === undefined) return undefined;
  target.username = target.password = target.search = target.hash = '';
  if (target.protocol === 'http:' && url.protocol === 'https:') {
    target.protocol = 'https:';
    return `Redirect from https to plain http not followed; try ${target.href} as the endpoint`;
  }
  return `Redirect to ${target.href} not followed; use that URL as the endpoint if it is the intended server`;
}

/** On default ports the https form of a url is the same server. */
function isWithinOrigin(from: URL, to: URL): boolean {
  if (from.protocol === to.protocol && from.host === to.host) return true;
  const isUpgrade = from.protocol === 'http:' && to.protocol === 'https:';
  return isUpgrade && from.hostname === to.hostname && from.port === '' && to.port === '';
}
