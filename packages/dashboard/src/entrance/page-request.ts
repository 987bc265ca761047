import type { IncomingMessage } from 'node:http';

import type { PageSecrets } from './page-sessions.js';

/** The header in which the page sends its key. Another origin would need a preflight, which is refused. */
export const KEY_HEADER = 'x-mcpmux-page';

/** Returns why a request for the page's data is refused, or undefined if the page itself may have sent it. */
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

/** Returns the name of the cookie. Cookies are shared between ports, so each port has its own cookie name. */
export function cookieName({ headers: { host = '' } }: IncomingMessage): string {
  return `mcpmux-page-${/:(\d+)$/.exec(host)?.[1] ?? '80'}`;
}

/** Returns the secrets that a request contains. A missing secret is empty. */
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
