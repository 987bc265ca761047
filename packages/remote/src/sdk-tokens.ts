import {
  auth,
  computeScopeUnion,
  extractWWWAuthenticateParams,
  isStrictScopeSuperset,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { redactUrl } from '@mcpmux/kit';

import { statusProblem, toRemoteError } from './describe-problem.js';
import type { Fetch } from './fetch.js';
import type { ClientCredentials } from './remote-endpoint.js';
import type { CreateRemoteTokens, Refusal, RemoteTokens } from './remote-tokens.js';
import { credentialsProvider, type CredentialsProvider } from './sdk-credentials.js';
import { SessionTokens } from './sdk-session-tokens.js';
import { soundDocuments } from './sound-documents.js';

/** Tokens from the official SDK. The SDK is loaded only when the first server with credentials starts. */
export const sdkTokens: CreateRemoteTokens = ({ url, clientCredentials, login }, fetch) => {
  const fetchToken = soundDocuments(reportedIn(fetch));
  if (clientCredentials !== undefined) return new CredentialTokens(url, clientCredentials, fetchToken);
  return login && new SessionTokens(url.href, login, fetchToken);
};

/**
 * Tokens from client credentials. The SDK finds the authorization server, gets a token, and gets another token when the
 * server no longer accepts it.
 */
class CredentialTokens implements RemoteTokens {
  private provider: CredentialsProvider | undefined;
  /** All scopes that the server has requested. */
  private scope: string | undefined;
  private resourceMetadataUrl: URL | undefined;

  constructor(
    private readonly url: URL,
    private readonly credentials: ClientCredentials,
    private readonly fetch: Fetch,
  ) {}

  token(): Promise<string | undefined> {
    return Promise.resolve(this.provider?.tokens()?.access_token);
  }

  taken(): void {
    // A new token is requested when the server refuses the current token.
  }

  async refused({ response, isAgain }: Refusal): Promise<void> {
    if (isAgain) throw statusProblem(redactUrl(this.url.href), response.status);
    const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
    this.resourceMetadataUrl = resourceMetadataUrl ?? this.resourceMetadataUrl;
    const isStepUp = response.status === 403;
    this.provider ??= credentialsProvider(this.credentials, this.fetch);
    const granted = isStepUp ? this.provider.tokens()?.scope : undefined;
    this.scope = computeScopeUnion(this.scope, granted, scope);
    const given = await auth(this.provider, {
      serverUrl: this.url,
      fetchFn: this.fetch,
      ...(this.resourceMetadataUrl && { resourceMetadataUrl: this.resourceMetadataUrl }),
      ...(isStepUp ? this.wider(granted) : scope !== undefined && { scope }),
    });
    if (given !== 'AUTHORIZED') throw new UnauthorizedError();
  }

  /**
   * Returns the options for a wider scope. A token with more scopes than the current token cannot be obtained by
   * renewal.
   */
  private wider(granted: string | undefined): {
    readonly scope?: string;
    readonly forceReauthorization: boolean;
  } {
    const { scope } = this;
    return { ...(scope && { scope }), forceReauthorization: isStrictScopeSuperset(scope, granted) };
  }
}

/** Returns a `fetch` that reports why an authorization server did not respond. */
function reportedIn(fetch: Fetch): Fetch {
  return async (url, init) => {
    try {
      return await fetch(url, init);
    } catch (error) {
      throw toRemoteError(redactUrl(String(url)), error);
    }
  };
}
