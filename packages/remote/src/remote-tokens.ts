import type { RemoteEndpoint } from './remote-endpoint.js';
import type { Fetch } from './fetch.js';

/** A request that the server has rejected. */
export interface Refusal {
  readonly response: Response;
  /** The token that was sent with the request. */
  readonly token: string | undefined;
  /** True if the server rejected an earlier attempt at the request with the same status. */
  readonly isAgain: boolean;
}

/** The tokens for a session with a server. */
export interface RemoteTokens {
  /** Resolves to the token for the next request. */
  token(): Promise<string | undefined>;
  /** Must be called when the server has accepted a request with this token. */
  taken(token: string): void;
  /** Resolves if the request should be sent again. Rejects with the reason why no valid token is available. */
  refused(refusal: Refusal): Promise<void>;
}

/**
 * Creates the tokens for a server. Returns undefined if the endpoint has no credentials.
 * @param fetch sends requests to URLs that servers have named
 */
export type CreateRemoteTokens = (endpoint: RemoteEndpoint, fetch: Fetch) => RemoteTokens | undefined;

/** Loads the part of the official SDK that obtains tokens. Called when the first server with credentials starts. */
export type LoadRemoteTokens = () => Promise<CreateRemoteTokens>;
