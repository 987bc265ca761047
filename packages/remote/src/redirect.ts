import type { IncomingMessage } from 'node:http';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Only these statuses repeat a request with its method and its body. */
const REPEATING = new Set([307, 308]);

/** Returns the URL to which a response redirects its request, or undefined if it is not a redirect. */
function targetOf(url: URL, { statusCode = 0, headers: { location } }: IncomingMessage): URL | undefined {
  if (location === undefined || !REDIRECTS.has(statusCode)) return undefined;
  return URL.canParse(location, url.href) ? new URL(location, url) : undefined;
}

/**
 * Returns the URL for repeating a request after a redirect, or undefined if it must not be repeated. The URL must be on
 * the same server and keep the method, because credentials must not go elsewhere.
 */
export function followed(url: URL, method: string, response: IncomingMessage): URL | undefined {
  const target = targetOf(url, response);
  if (target === undefined || !isWithinOrigin(url, target)) return undefined;
  const keepsMethod = method === 'GET' || REPEATING.has(response.statusCode ?? 0);
  const isAnonymous = target.username === '' && target.password === '';
  const isSameUser = target.username === url.username && target.password === url.password;
  return keepsMethod && (isAnonymous || isSameUser) ? target : undefined;
}

/** Describes the target of a redirect that was not followed. */
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

/** True if both URLs are on the same server. With default ports, the https form of a URL is the same server. */
function isWithinOrigin(from: URL, to: URL): boolean {
  if (from.protocol === to.protocol && from.host === to.host) return true;
  const isUpgrade = from.protocol === 'http:' && to.protocol === 'https:';
  return isUpgrade && from.hostname === to.hostname && from.port === '' && to.port === '';
}
