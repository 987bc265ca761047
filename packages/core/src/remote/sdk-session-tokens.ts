import { refreshAuthorization, type AuthProvider } from '@modelcontextprotocol/client';

import { messageOf } from '../base/errors.js';
import type { SessionLogin } from './login-store.js';
import { RemoteError } from './remote-error.js';
import type { Fetch } from './remote-transport.js';
import { redactUrl } from '../redact/redact-url.js';
import { readLogin, type StoredLogin } from './stored-login.js';

/**
 * The tokens of a session with a server that the user has logged in to: read from where they are kept, and got anew from
 * the authorization server of that login, and no other, when the server takes them no more.
 */
export class SessionTokens implements AuthProvider {
  private login: StoredLogin | undefined;
  private renewing: Promise<void> | undefined;

  constructor(
    private readonly url: string,
    private readonly from: SessionLogin,
    private readonly fetch: Fetch,
  ) {}

  async token(): Promise<string | undefined> {
    this.login ??= await this.stored();
    return this.login?.tokens.access_token;
  }

  /** Rejects with {@link RemoteError} when the user has to log in. */
  async onUnauthorized(): Promise<void> {
    // Requests that are refused at once need one new token.
    this.renewing ??= this.renew().finally(() => (this.renewing = undefined));
    return this.renewing;
  }

  private async renew(): Promise<void> {
    const refused = this.login;
    this.login = await this.stored();
    if (this.login === undefined) throw this.needed('nobody has logged in');
    if (this.login.tokens.access_token !== refused?.tokens.access_token) return;
    try {
      await this.refresh(this.login);
    } catch (error) {
      // A refresh token counts once: another mcpmux may have been first.
      const latest = await this.stored();
      const isNew = latest !== undefined && latest.tokens.access_token !== refused.tokens.access_token;
      if (!isNew) throw this.needed(`the stored login could not be renewed (${messageOf(error)})`);
      this.login = latest;
    }
  }

  private async refresh(login: StoredLogin): Promise<void> {
    const { authorizationServer, tokenEndpoint, authMethods, resource, client, tokens } = login;
    if (tokens.refresh_token === undefined) throw new Error('it has no refresh token');
    const { access_token, refresh_token, scope } = await refreshAuthorization(authorizationServer, {
      metadata: {
        issuer: authorizationServer,
        authorization_endpoint: authorizationServer,
        token_endpoint: tokenEndpoint,
        response_types_supported: ['code'],
        ...(authMethods && { token_endpoint_auth_methods_supported: authMethods }),
      },
      clientInformation: client,
      refreshToken: tokens.refresh_token,
      ...(resource !== undefined && { resource }),
      fetchFn: this.fetch,
    });
    this.login = { ...login, tokens: { ...tokens, access_token, refresh_token, ...(scope && { scope }) } };
    await this.from.store.save(this.url, this.login);
  }

  private async stored(): Promise<StoredLogin | undefined> {
    return readLogin(await this.from.store.load(this.url));
  }

  private needed(why: string): RemoteError {
    return new RemoteError(`${redactUrl(this.url)} needs a login: ${why}`, this.from.advice, 401);
  }
}
