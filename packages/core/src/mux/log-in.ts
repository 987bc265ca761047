import type { Login, LoginInit } from '@mcpmux/remote';
import { LOGIN_PROBE } from '../server/dialect/legacy/handshake.js';

/**
 * Logs the user in to a server at a url (OAuth 2.1, authorization code with PKCE, which the authorization server must say
 * that it supports). Needs `@modelcontextprotocol/client`.
 *
 * @returns what is to be kept in a `LoginStore`
 * @throws Error that says what went wrong, without secrets
 */
export async function logIn(init: LoginInit): Promise<Login> {
  const { sdkLogin } = await import('@mcpmux/remote/logins');
  return sdkLogin(init, LOGIN_PROBE);
}
