import {
  auth,
  computeScopeUnion,
  extractWWWAuthenticateParams,
  isStrictScopeSuperset,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { redactUrl } from '@mcpmux/kit';

import { statusError, toRemoteError } from './describe-problem.js';
import type { Fetch } from './fetch.js';
import type { ClientCredentials } from './remote-endpoint.js';
import type { CreateRemoteTokens, Refusal, RemoteTokens } from './remote-tokens.js';
import { createCredentialsProvider, type CredentialsProvider } from './sdk-credentials.js';
import { SessionTokens } from './sdk-session-tokens.js';
import { normalizeDocuments } from './normalize-documents.js';

/** Creates tokens with the official SDK, which is loaded only when the first server with credentials starts. */
export const sdkTokens: CreateRemoteTokens = ({ url, clientCredentials, login }, fetch) => {
  const fetchToken = normalizeDocuments(withDescribedErrors(fetch));
  if (clientCredentials !== undefined) return new ClientCredentialTokens(url, clientCredentials, fetchToken);
  return login && new SessionTokens(url.href, login, fetchToken);
};

/**
 * Tokens obtained with client credentials. The SDK finds the authorization server and obtains a token, and another one
 * when the server no longer accepts it.
 */
class ClientCredentialTokens implements RemoteTokens {
  private provider: CredentialsProvider | undefined;
  /** All scopes that the server has demanded. */
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
    // There is nothing to record, because a new token is requested only when the server rejects the current one.
  }

  async refused({ response, isAgain }: Refusal): Promise<void> {
    if (isAgain) throw statusError(redactUrl(this.url.href), response.status);
    const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
    this.resourceMetadataUrl = resourceMetadataUrl ?? this.resourceMetadataUrl;
    const isStepUp = response.status === 403;
    this.provider ??= createCredentialsProvider(this.credentials, this.fetch);
    const grantedScope = isStepUp ? this.provider.tokens()?.scope : undefined;
    this.scope = computeScopeUnion(this.scope, grantedScope, scope);
    const outcome = await auth(this.provider, {
      serverUrl: this.url,
      fetchFn: this.fetch,
      ...(this.resourceMetadataUrl && { resourceMetadataUrl: this.resourceMetadataUrl }),
      ...(isStepUp ? this.widerScopeOptions(grantedScope) : scope !== undefined && { scope }),
    });
    if (outcome !== 'AUTHORIZED') throw new UnauthorizedError();
  }

  /** Returns the options for obtaining a wider scope. This needs a new authorization: a renewal adds no scopes. */
  private widerScopeOptions(grantedScope: string | undefined): {
    readonly scope?: string;
    readonly forceReauthorization: boolean;
  } {
    const { scope } = this;
    return { ...(scope && { scope }), forceReauthorization: isStrictScopeSuperset(scope, grantedScope) };
  }
}

/** Returns a `fetch` whose errors describe why an authorization server did not respond. */
function withDescribedErrors(fetch: Fetch): Fetch {
  return async (url, init) => {
    try {
      return await fetch(url, init);
    } catch (error) {
      throw toRemoteError(redactUrl(String(url)), error);
    }
  };
}
