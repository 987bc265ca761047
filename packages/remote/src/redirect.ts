import type { IncomingMessage } from 'node:http';

const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);
/** The statuses after which the request must be repeated with the same method and body. */
const METHOD_PRESERVING_STATUSES = new Set([307, 308]);

/** Returns the URL to which a response redirects its request, or undefined if it is not a redirect. */
function locationUrl(url: URL, { statusCode = 0, headers: { location } }: IncomingMessage): URL | undefined {
  if (location === undefined || !REDIRECT_STATUSES.has(statusCode)) return undefined;
  return URL.canParse(location, url.href) ? new URL(location, url) : undefined;
}

/**
 * Returns the URL at which to repeat a redirected request, or undefined if it must not be repeated. The redirect must
 * preserve the method and stay on the same server, because other servers must not receive the credentials.
 */
export function redirectTarget(url: URL, method: string, response: IncomingMessage): URL | undefined {
  const target = locationUrl(url, response);
  if (target === undefined || !isWithinOrigin(url, target)) return undefined;
  const keepsMethod = method === 'GET' || METHOD_PRESERVING_STATUSES.has(response.statusCode ?? 0);
  const isAnonymous = target.username === '' && target.password === '';
  const isSameUser = target.username === url.username && target.password === url.password;
  return keepsMethod && (isAnonymous || isSameUser) ? target : undefined;
}

/** Describes the target of a redirect that was not followed. */
export function describeRedirect(url: URL, response: IncomingMessage): string | undefined {
  const target = locationUrl(url, response);
  if (target === undefined) return undefined;
  target.username = target.password = target.search = target.hash = '';
  if (target.protocol === 'http:' && url.protocol === 'https:') {
    target.protocol = 'https:';
    return `Redirect from https to plain http not followed; try ${target.href} as the endpoint`;
  }
  return `Redirect to ${target.href} not followed; use that URL as the endpoint if it is the intended server`;
}

/** True if both URLs are on the same server. An upgrade to https on default ports counts as the same server. */
function isWithinOrigin(from: URL, to: URL): boolean {
  if (from.protocol === to.protocol && from.host === to.host) return true;
  const isUpgrade = from.protocol === 'http:' && to.protocol === 'https:';
  return isUpgrade && from.hostname === to.hostname && from.port === '' && to.port === '';
}
