import type { RemoteEndpoint } from './remote-endpoint.js';
import type { Fetch } from './fetch.js';

/** A request that was refused. */
export interface Refusal {
  readonly response: Response;
  /** The token that it was sent with. */
  readonly token: string | undefined;
  /** True if the request was sent before, and was refused with the same status. */
  readonly isAgain: boolean;
}

/** The tokens of a session with a server. */
export interface RemoteTokens {
  /** The token of the next request. */
  token(): Promise<string | undefined>;
  /** The server has taken this token. */
  taken(token: string): void;
  /** Resolves when the request is worth another attempt. Rejects with why there is no token that would help. */
  refused(refusal: Refusal): Promise<void>;
}

/** Makes the tokens for a server; undefined where nothing is known to get any with. `fetch` is for what servers name. */
export type CreateRemoteTokens = (endpoint: RemoteEndpoint, fetch: Fetch) => RemoteTokens | undefined;

/** Loads the part of the official SDK that gets tokens, for the first server that has credentials. */
export type LoadRemoteTokens = () => Promise<CreateRemoteTokens>;
