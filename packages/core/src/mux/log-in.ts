import type { Login, LoginInit } from '@mcpmux/remote';
import { LOGIN_PROBE } from '../server/dialect/legacy/handshake.js';

/**
 * Logs the user in to a server at a URL with OAuth 2.1 (authorization code with PKCE). The authorization server must
 * declare PKCE support. Needs the package `@modelcontextprotocol/client`.
 *
 * @returns the login to store in a `LoginStore`
 * @throws Error with a message that states the problem, without secrets
 */
export async function logIn(init: LoginInit): Promise<Login> {
  const { sdkLogin } = await import('@mcpmux/remote/logins');
  return sdkLogin(init, LOGIN_PROBE);
}
