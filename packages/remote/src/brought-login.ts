import { isRecord, parsedJson } from '@mcpmux/kit';

import type { Login } from './login-store.js';
import { readLogin } from './stored-login.js';

/** The form of a bearer token (RFC 6750, 2.1). */
const TOKEN = /^[\w.~+/-]+=*$/;

/**
 * Returns the login in a text that was brought from elsewhere: an access token, or a login that another mcpmux has
 * saved.
 *
 * @throws Error without any part of the text, also for a login to a server of another origin
 */
export function broughtLogin(url: string, text: string): Login {
  const value = parsedJson(text);
  const { origin } = new URL(url);
  if (isRecord(value)) {
    const login = readLogin(value);
    if (login === undefined) throw new Error('the JSON is not a login that mcpmux has saved');
    // Without a server, the login must come from the server itself.
    const { resource, authorizationServer } = login;
    const source = resource ?? authorizationServer;
    if (URL.canParse(source) && new URL(source).origin === origin)
      return { ...value, resource: resource ?? url };
    throw new Error(`the login is for another server, not for ${origin}`);
  }
  const token = text.trim();
  if (!TOKEN.test(token)) throw new Error('the text is neither a token nor a login that mcpmux has saved');
  return {
    version: 1,
    // Without a refresh token, nothing is ever sent there.
    authorizationServer: origin,
    tokenEndpoint: origin,
    resource: url,
    client: { client_id: '' },
    tokens: { access_token: token },
  };
}
