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

/** The maximum number of reads in which a process that renewed the tokens first is expected to have saved them. */
const MOST_READS = 6;
const READ_PAUSE_MS = 200;

/**
 * The tokens for a session with a server that the user has logged in to. They are read from the store. When the server
 * no longer accepts them, they are renewed by the authorization server of the login, and by no other.
 */
export class SessionTokens implements RemoteTokens {
  private readonly record: LoginRecord;
  private login: StoredLogin | undefined;
  private renewing: Promise<void> | undefined;
  /** The last renewed access token, until the server has responded to it. */
  private untried: string | undefined;

  constructor(
    private readonly url: string,
    private readonly from: SessionLogin,
    private readonly fetch: Fetch,
  ) {
    this.record = new LoginRecord(url, from);
  }

  async token(): Promise<string | undefined> {
    this.login ??= await this.record.read();
    this.record.saveLater();
    return this.login?.tokens.access_token;
  }

  taken(token: string): void {
    if (token === this.untried) this.untried = undefined;
  }

  /** Rejects with {@link RemoteError} if the user must log in. */
  async refused({ response, token, isAgain }: Refusal): Promise<void> {
    const isNew = token !== undefined && token === this.untried;
    if (isNew) this.untried = undefined;
    if (response.status === 403) throw await this.lacking(response, token);
    if (isNew) throw this.refusedAnew();
    if (isAgain) throw statusProblem(redactUrl(this.url), response.status);
    // Requests that are refused at the same time share one renewal.
    this.renewing ??= this.renew().finally(() => (this.renewing = undefined));
    return this.renewing;
  }

  private async renew(): Promise<void> {
    const refused = this.login;
    this.login = await this.record.read();
    if (this.login === undefined) throw this.needed('nobody has logged in');
    if (this.login.tokens.access_token !== refused?.tokens.access_token) return;
    try {
      await this.refresh(this.login);
    } catch (error) {
      const latest = await this.renewedByOther(
        refused.tokens.access_token,
        isRefused(error) ? MOST_READS : 1,
      );
      if (latest === undefined) throw this.unrenewed(error);
      this.login = latest;
    }
  }

  /**
   * Resolves with the login that another mcpmux has renewed. A refresh token can be used only once, so another process
   * may have used it first, and may still be saving its tokens.
   */
  private async renewedByOther(refused: string, reads: number): Promise<StoredLogin | undefined> {
    for (let left = reads; left > 0; left -= 1) {
      if (left < reads) await pause(READ_PAUSE_MS, this.from.clock);
      const latest = await this.record.read().catch(() => undefined);
      if (latest !== undefined && latest.tokens.access_token !== refused) return latest;
    }
    return undefined;
  }

  private async refresh(login: StoredLogin): Promise<void> {
    const { authorizationServer, tokenEndpoint, authMethods, resource, client, tokens } = login;
    if (tokens.refresh_token === undefined) throw new Error('it has no refresh token');
    const given = await refreshAuthorization(authorizationServer, {
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
    requireBearer(given);
    const { access_token, refresh_token, scope } = given;
    const renewed = { ...tokens, access_token, refresh_token, ...(scope && { scope }) };
    this.login = { ...login, tokens: renewed };
    this.untried = access_token;
    await this.record.renew(tokens.refresh_token, renewed);
  }

  /**
   * Returns the error for a renewed token that was refused. Another authorization server may now issue the tokens,
   * which only a new login can determine.
   */
  private refusedAnew(): RemoteError {
    this.login = undefined;
    this.from.needed?.();
    const problem = 'answered 401 Unauthorized to the token that its authorization server has just given';
    return new RemoteError(`${redactUrl(this.url)} ${problem}`, this.from.advice, 401);
  }

  /**
   * Returns the reason why a request was refused for its scope, with advice. The next request uses the login that is
   * stored at that time.
   *
   * @param used the token of the request, because several requests may be refused at once
   */
  private async lacking(response: Response, used: string | undefined): Promise<RemoteError> {
    const { scope } = extractWWWAuthenticateParams(response);
    const login = await this.record.read();
    this.login = undefined;
    if (login === undefined) return this.needed('nobody has logged in');
    const demand = scopeDemand(login, used, scope);
    const where = redactUrl(this.url);
    if (demand.kind === 'changed')
      return new RemoteError(`the login to ${where} has changed meanwhile`, 'Try again.', 403);
    if (demand.kind === 'vain') return new RemoteError(`${where} ${demand.problem}`, demand.advice, 403);
    if (demand.wanted === login.wanted) return this.needed(demand.why);
    const problem = await this.record.change((stored) => withDemand(stored, used, scope));
    const unsaved = problem === undefined ? '' : `, which could not be saved for the next login (${problem})`;
    return this.needed(`${demand.why}${unsaved}`);
  }

  /**
   * Returns the error for a failed renewal. A temporary failure requires no login, because the refresh token remains
   * valid.
   */
  private unrenewed(error: unknown): RemoteError {
    if (!(error instanceof RemoteError) || error instanceof TokenTypeError) {
      const isInvalid = error instanceof Error && 'issues' in error;
      const problem = isInvalid ? toRemoteError(redactUrl(this.url), error).problem : messageOf(error);
      return this.needed(`the stored login could not be renewed (${problem})`);
    }
    const problem = `the login to ${redactUrl(this.url)} could not be renewed now: ${error.problem}`;
    return new RemoteError(problem, error.advice);
  }

  private needed(why: string): RemoteError {
    this.from.needed?.();
    return new RemoteError(`${redactUrl(this.url)} needs a login: ${why}`, this.from.advice, 401);
  }
}

/** True if the authorization server no longer accepts the refresh token. */
function isRefused(error: unknown): boolean {
  return error instanceof OAuthError && error.code === 'invalid_grant';
}

/**
 * Returns a login with the scopes that the next login requests. The login is unchanged if its token was not the refused
 * token.
 */
function withDemand(stored: Login, used: string | undefined, challenge: string | undefined): Login {
  const login = readLogin(stored);
  const demand = login && scopeDemand(login, used, challenge);
  return demand?.kind === 'login' ? { ...stored, wanted: demand.wanted } : stored;
}
