import { isRecord, parsedJson } from '@mcpmux/kit';

import type { Login } from './login-store.js';
import { readLogin } from './stored-login.js';

/** Matches a bearer token (RFC 6750, 2.1). */
const BEARER_TOKEN = /^[\w.~+/-]+=*$/;

/**
 * Returns the login that a user has supplied, either as an access token or as JSON saved by another mcpmux.
 *
 * @throws Error for an invalid text and for a login to another origin; its message contains no part of the text
 */
export function broughtLogin(url: string, text: string): Login {
  const value = parsedJson(text);
  const { origin } = new URL(url);
  if (isRecord(value)) {
    const login = readLogin(value);
    if (login === undefined) throw new Error('the JSON is not a login that mcpmux has saved');
    // If the login does not name the server as its resource, the server itself must be its authorization server.
    const { resource, authorizationServer } = login;
    const loginUrl = resource ?? authorizationServer;
    if (URL.canParse(loginUrl) && new URL(loginUrl).origin === origin)
      return { ...value, resource: resource ?? url };
    throw new Error(`the login is for another server, not for ${origin}`);
  }
  const token = text.trim();
  if (!BEARER_TOKEN.test(token))
    throw new Error('the text is neither a token nor a login that mcpmux has saved');
  return {
    version: 1,
    // Never contacted, because the login has no refresh token.
    authorizationServer: origin,
    tokenEndpoint: origin,
    resource: url,
    client: { client_id: '' },
    tokens: { access_token: token },
  };
}
