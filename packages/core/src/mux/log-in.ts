import { LOGIN_PROBE } from '../dialect/legacy/handshake.js';
import type { LoginInit } from '../remote/login-init.js';
import type { Login } from '../remote/login-store.js';

/**
 * Logs the user in to a server at a url (OAuth 2.1, authorization code with PKCE, which the authorization server must say
 * that it supports). Needs `@modelcontextprotocol/client`.
 *
 * @returns what is to be kept in a `LoginStore`
 * @throws Error that says what went wrong, without secrets
 */
export async function logIn(init: LoginInit): Promise<Login> {
  const { sdkLogin } = await import('../remote/sdk-login.js');
  return sdkLogin(init, LOGIN_PROBE);
}
