import { extractWWWAuthenticateParams, OAuthError, refreshAuthorization } from '@modelcontextprotocol/client';
import { messageOf, pause, redactUrl } from '@mcpmux/kit';

import { requireBearer, TokenTypeError } from './bearer-token.js';
import { LoginRecord } from './login-record.js';
import type { Login, SessionLogin } from './login-store.js';
import { statusProblem, toRemoteError } from './describe-problem.js';
import { RemoteError } from './remote-error.js';
import type { Fetch } from './fetch.js';
import type { Refusal, RemoteTokens } from './remote-tokens.js';
import { scopeDemand } from './scope-demand.js';
import { readLogin, type StoredLogin } from './stored-login.js';

/** The maximum number of reads while another process may be saving renewed tokens. */
const MAX_READS = 6;
const READ_PAUSE_MS = 200;

/**
 * The tokens for a session with a server to which the user has logged in. They are read from the store. When the server
 * no longer accepts them, only the authorization server of the login may renew them.
 */
export class SessionTokens implements RemoteTokens {
  private readonly record: LoginRecord;
  private login: StoredLogin | undefined;
  private renewing: Promise<void> | undefined;
  /** The last renewed access token, until the server has responded to it. */
  private unconfirmedToken: string | undefined;

  constructor(
    private readonly url: string,
    private readonly sessionLogin: SessionLogin,
    private readonly fetch: Fetch,
  ) {
    this.record = new LoginRecord(url, sessionLogin);
  }

  async token(): Promise<string | undefined> {
    this.login ??= await this.record.read();
    this.record.saveLater();
    return this.login?.tokens.access_token;
  }

  taken(token: string): void {
    if (token === this.unconfirmedToken) this.unconfirmedToken = undefined;
  }

  /** Rejects with {@link RemoteError} if the user must log in. */
  async refused({ response, token, isAgain }: Refusal): Promise<void> {
    const isNew = token !== undefined && token === this.unconfirmedToken;
    if (isNew) this.unconfirmedToken = undefined;
    if (response.status === 403) throw await this.missingScope(response, token);
    if (isNew) throw this.renewedTokenRefused();
    if (isAgain) throw statusProblem(redactUrl(this.url), response.status);
    // Concurrently refused requests share one renewal.
    this.renewing ??= this.renew().finally(() => (this.renewing = undefined));
    return this.renewing;
  }

  private async renew(): Promise<void> {
    const refused = this.login;
    this.login = await this.record.read();
    if (this.login === undefined) throw this.loginNeeded('nobody has logged in');
    if (this.login.tokens.access_token !== refused?.tokens.access_token) return;
    try {
      await this.refresh(this.login);
    } catch (error) {
      const latest = await this.renewedByOther(refused.tokens.access_token, isRefused(error) ? MAX_READS : 1);
      if (latest === undefined) throw this.renewalFailed(error);
      this.login = latest;
    }
  }

  /**
   * Resolves with the login if another mcpmux has renewed it. A refresh token can be used only once. Another process
   * may have used it first and may still be saving the new tokens.
   */
  private async renewedByOther(refused: string, reads: number): Promise<StoredLogin | undefined> {
    for (let readsLeft = reads; readsLeft > 0; readsLeft -= 1) {
      if (readsLeft < reads) await pause(READ_PAUSE_MS, this.sessionLogin.clock);
      const latest = await this.record.read().catch(() => undefined);
      if (latest !== undefined && latest.tokens.access_token !== refused) return latest;
    }
    return undefined;
  }

  private async refresh(login: StoredLogin): Promise<void> {
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
    const renewed = { ...tokens, access_token, refresh_token, ...(scope && { scope }) };
    this.login = { ...login, tokens: renewed };
    this.unconfirmedToken = access_token;
    await this.record.renew(tokens.refresh_token, renewed);
  }

  /**
   * Returns the error for a renewed token that was refused. The server may now use another authorization server, which
   * only a new login can find.
   */
  private renewedTokenRefused(): RemoteError {
    this.login = undefined;
    this.sessionLogin.needed?.();
    const problem = 'answered 401 Unauthorized to the token that its authorization server has just given';
    return new RemoteError(`${redactUrl(this.url)} ${problem}`, this.sessionLogin.advice, 401);
  }

  /**
   * Returns the error for a missing scope, with advice. The next request uses the login that is stored at that time.
   *
   * @param used the token of the refused request, which may no longer be the current token
   */
  private async missingScope(response: Response, used: string | undefined): Promise<RemoteError> {
    const { scope } = extractWWWAuthenticateParams(response);
    const login = await this.record.read();
    this.login = undefined;
    if (login === undefined) return this.loginNeeded('nobody has logged in');
    const demand = scopeDemand(login, used, scope);
    const redactedUrl = redactUrl(this.url);
    if (demand.kind === 'changed')
      return new RemoteError(`the login to ${redactedUrl} has changed meanwhile`, 'Try again.', 403);
    if (demand.kind === 'vain')
      return new RemoteError(`${redactedUrl} ${demand.problem}`, demand.advice, 403);
    if (demand.wanted === login.wanted) return this.loginNeeded(demand.why);
    const problem = await this.record.change((stored) => withDemand(stored, used, scope));
    const unsaved = problem === undefined ? '' : `, which could not be saved for the next login (${problem})`;
    return this.loginNeeded(`${demand.why}${unsaved}`);
  }

  /**
   * Returns the error for a failed renewal. After a temporary failure, no login is required, because the refresh token
   * remains valid.
   */
  private renewalFailed(error: unknown): RemoteError {
    if (!(error instanceof RemoteError) || error instanceof TokenTypeError) {
      const isInvalid = error instanceof Error && 'issues' in error;
      const problem = isInvalid ? toRemoteError(redactUrl(this.url), error).problem : messageOf(error);
      return this.loginNeeded(`the stored login could not be renewed (${problem})`);
    }
    const problem = `the login to ${redactUrl(this.url)} could not be renewed now: ${error.problem}`;
    return new RemoteError(problem, error.advice);
  }

  private loginNeeded(why: string): RemoteError {
    this.sessionLogin.needed?.();
    return new RemoteError(`${redactUrl(this.url)} needs a login: ${why}`, this.sessionLogin.advice, 401);
  }
}

/** True if the authorization server no longer accepts the refresh token. */
function isRefused(error: unknown): boolean {
  return error instanceof OAuthError && error.code === 'invalid_grant';
}

/** Returns a login with the scopes that the next login must request. A login with another token stays unchanged. */
function withDemand(stored: Login, used: string | undefined, challenge: string | undefined): Login {
  const login = readLogin(stored);
  const demand = login && scopeDemand(login, used, challenge);
  return demand?.kind === 'login' ? { ...stored, wanted: demand.wanted } : stored;
}
