import { extractWWWAuthenticateParams, OAuthError, refreshAuthorization } from '@modelcontextprotocol/client';
import { messageOf, pause, redactUrl } from '@mcpmux/kit';

import { requireBearer, TokenTypeError } from './bearer-token.js';
import { LoginRecord } from './login-record.js';
import type { Login, SessionLogin } from './login-store.js';
import { statusError, toRemoteError } from './describe-problem.js';
import { RemoteError } from './remote-error.js';
import type { Fetch } from './fetch.js';
import type { Refusal, RemoteTokens } from './remote-tokens.js';
import { scopeDemand } from './scope-demand.js';
import { readLogin, type StoredLogin } from './stored-login.js';

/** The maximum number of times to read a login while another process may be saving refreshed tokens. */
const MAX_LOGIN_READS = 6;
const READ_PAUSE_MS = 200;

/**
 * The tokens for a session with a server to which the user has logged in. They are read from the store. When the server
 * no longer accepts them, only the login's own authorization server may renew them.
 */
export class SessionTokens implements RemoteTokens {
  private readonly loginRecord: LoginRecord;
  private login: StoredLogin | undefined;
  private renewal: Promise<void> | undefined;
  /** The most recently renewed access token, until the server has responded to it. */
  private unconfirmedToken: string | undefined;

  constructor(
    private readonly url: string,
    private readonly sessionLogin: SessionLogin,
    private readonly fetch: Fetch,
  ) {
    this.loginRecord = new LoginRecord(url, sessionLogin);
  }

  async token(): Promise<string | undefined> {
    this.login ??= await this.loginRecord.read();
    this.loginRecord.retrySaving();
    return this.login?.tokens.access_token;
  }

  taken(token: string): void {
    if (token === this.unconfirmedToken) this.unconfirmedToken = undefined;
  }

  /** Rejects with {@link RemoteError} if the user must log in. */
  async refused({ response, token, isAgain }: Refusal): Promise<void> {
    const isUnconfirmed = token !== undefined && token === this.unconfirmedToken;
    if (isUnconfirmed) this.unconfirmedToken = undefined;
    if (response.status === 403) throw await this.missingScopeError(response, token);
    if (isUnconfirmed) throw this.renewedTokenRefusedError();
    if (isAgain) throw statusError(redactUrl(this.url), response.status);
    // Requests that are rejected concurrently share one renewal.
    this.renewal ??= this.renewLogin().finally(() => (this.renewal = undefined));
    return this.renewal;
  }

  private async renewLogin(): Promise<void> {
    const refusedLogin = this.login;
    this.login = await this.loginRecord.read();
    if (this.login === undefined) throw this.loginNeededError('nobody has logged in');
    if (this.login.tokens.access_token !== refusedLogin?.tokens.access_token) return;
    try {
      await this.refreshTokens(this.login);
    } catch (error) {
      const latestLogin = await this.readLoginRenewedByOther(
        refusedLogin.tokens.access_token,
        isRefreshTokenRefused(error) ? MAX_LOGIN_READS : 1,
      );
      if (latestLogin === undefined) throw this.renewalFailedError(error);
      this.login = latestLogin;
    }
  }

  /**
   * Resolves to the login if another mcpmux process has renewed it. A refresh token can be used only once, so another
   * process may have used it first and may still be saving the new tokens.
   */
  private async readLoginRenewedByOther(refused: string, reads: number): Promise<StoredLogin | undefined> {
    for (let readsLeft = reads; readsLeft > 0; readsLeft -= 1) {
      if (readsLeft < reads) await pause(READ_PAUSE_MS, this.sessionLogin.clock);
      const latestLogin = await this.loginRecord.read().catch(() => undefined);
      if (latestLogin !== undefined && latestLogin.tokens.access_token !== refused) return latestLogin;
    }
    return undefined;
  }

  private async refreshTokens(login: StoredLogin): Promise<void> {
    const { authorizationServer, tokenEndpoint, authMethods, resource, client, tokens } = login;
    if (tokens.refresh_token === undefined) throw new Error('it has no refresh token');
    const response = await refreshAuthorization(authorizationServer, {
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
    requireBearer(response);
    const { access_token, refresh_token, scope } = response;
    const renewedTokens = { ...tokens, access_token, refresh_token, ...(scope && { scope }) };
    this.login = { ...login, tokens: renewedTokens };
    this.unconfirmedToken = access_token;
    await this.loginRecord.saveRenewedTokens(tokens.refresh_token, renewedTokens);
  }

  /**
   * Creates the error for a renewed token that the server rejected. The server may have moved to another authorization
   * server, which only a new login can find.
   */
  private renewedTokenRefusedError(): RemoteError {
    this.login = undefined;
    this.sessionLogin.needed?.();
    const problem = 'answered 401 Unauthorized to the token that its authorization server has just given';
    return new RemoteError(`${redactUrl(this.url)} ${problem}`, this.sessionLogin.advice, 401);
  }

  /**
   * Creates the error for a missing scope, with advice. The next request uses the login that is stored by then.
   *
   * @param used the rejected request's token, which may no longer be the current one
   */
  private async missingScopeError(response: Response, used: string | undefined): Promise<RemoteError> {
    const { scope } = extractWWWAuthenticateParams(response);
    const login = await this.loginRecord.read();
    this.login = undefined;
    if (login === undefined) return this.loginNeededError('nobody has logged in');
    const demand = scopeDemand(login, used, scope);
    const redactedUrl = redactUrl(this.url);
    if (demand.kind === 'changed')
      return new RemoteError(`the login to ${redactedUrl} has changed meanwhile`, 'Try again.', 403);
    if (demand.kind === 'vain')
      return new RemoteError(`${redactedUrl} ${demand.problem}`, demand.advice, 403);
    if (demand.wanted === login.wanted) return this.loginNeededError(demand.why);
    const problem = await this.loginRecord.change((stored) => withDemandedScopes(stored, used, scope));
    const unsavedNote =
      problem === undefined ? '' : `, which could not be saved for the next login (${problem})`;
    return this.loginNeededError(`${demand.why}${unsavedNote}`);
  }

  /** Creates the error for a failed renewal. After a temporary failure, the refresh token remains valid. */
  private renewalFailedError(error: unknown): RemoteError {
    if (!(error instanceof RemoteError) || error instanceof TokenTypeError) {
      const isInvalidDocument = error instanceof Error && 'issues' in error;
      const problem = isInvalidDocument
        ? toRemoteError(redactUrl(this.url), error).problem
        : messageOf(error);
      return this.loginNeededError(`the stored login could not be renewed (${problem})`);
    }
    const problem = `the login to ${redactUrl(this.url)} could not be renewed now: ${error.problem}`;
    return new RemoteError(problem, error.advice);
  }

  private loginNeededError(why: string): RemoteError {
    this.sessionLogin.needed?.();
    return new RemoteError(`${redactUrl(this.url)} needs a login: ${why}`, this.sessionLogin.advice, 401);
  }
}

/** True if the authorization server rejects the refresh token. */
function isRefreshTokenRefused(error: unknown): boolean {
  return error instanceof OAuthError && error.code === 'invalid_grant';
}

/** Records in a login the scopes that the next login must request. A login with a different token stays unchanged. */
function withDemandedScopes(stored: Login, used: string | undefined, challenge: string | undefined): Login {
  const login = readLogin(stored);
  const demand = login && scopeDemand(login, used, challenge);
  return demand?.kind === 'login' ? { ...stored, wanted: demand.wanted } : stored;
}
