import type { IncomingMessage } from 'node:http';

import type { PageSecrets } from './page-sessions.js';

/**
 * The header in which the page sends its key. A request from another origin would need a preflight, which is denied.
 */
export const KEY_HEADER = 'x-mcpmux-page';

/**
 * Returns the reason why a request for the page's data is rejected, or undefined if the page itself may have sent it.
 */
export function refusalReason({ headers, method }: IncomingMessage): string | undefined {
  const { host = '', origin } = headers;
  const site = headers['sec-fetch-site'];
  if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`)
    return 'Only the page itself may ask for its data.';
  if (site !== undefined && site !== 'same-origin') return 'Only the page itself may ask for its data.';
  if (method === 'GET') return undefined;
  if (method !== 'POST') return 'Only GET and POST are served here.';
  const isJson = headers['content-type']?.split(';', 1)[0] === 'application/json';
  return isJson ? undefined : 'The body must be of the type application/json.';
}

/** Returns the cookie's name. It contains the port, because browsers share cookies between ports. */
export function cookieName({ headers: { host = '' } }: IncomingMessage): string {
  return `mcpmux-page-${/:(\d+)$/.exec(host)?.[1] ?? '80'}`;
}

/** Returns the secrets in a request. A missing secret is an empty string. */
export function secretsIn(request: IncomingMessage): PageSecrets {
  const name = cookieName(request);
  const cookies = (request.headers.cookie ?? '').split(';').map((part) => part.trim());
  const cookie = cookies.find((part) => part.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
  const key = request.headers[KEY_HEADER];
  return { cookie, key: typeof key === 'string' ? key : '' };
}

/** Returns the `Set-Cookie` header for a session. Without a value, it deletes the cookie. */
export function cookieFor(request: IncomingMessage, value?: string): string {
  const life = value === undefined ? '; Max-Age=0' : '';
  return `${cookieName(request)}=${value ?? ''}; Path=/ui; HttpOnly; SameSite=Strict${life}`;
}
