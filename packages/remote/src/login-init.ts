import type { Login } from './login-store.js';

/** The authorization server's answer, from the query of the redirect url. */
export interface AuthorizationAnswer {
  readonly code: string;
  readonly state: string | undefined;
  /** The issuer of the answer (RFC 9207). */
  readonly iss: string | undefined;
}

/** A JSON-RPC request, or a notification if it has no id. */
export interface ProbeMessage {
  readonly jsonrpc: '2.0';
  readonly id?: number;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** Messages that ask a server whether it wants a login. */
export interface LoginProbe {
  /** Opens a session. */
  readonly opening: ProbeMessage;
  /** Messages that a server may refuse which opens a session for every client. */
  readonly following: readonly ProbeMessage[];
}

/** The parameters of a user's login to a remote server. */
export interface LoginInit {
  readonly url: string;
  /** Headers sent to the server, and to no other origin. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The url to which the authorization server redirects the user. */
  readonly redirectUrl: URL;
  /** mcpmux's client registration at the authorization server; mcpmux registers itself when absent. */
  readonly client?: { readonly clientId: string; readonly clientSecret?: string | undefined } | undefined;
  /** The https url of a client metadata document that describes mcpmux, for authorization servers that read such. */
  readonly clientMetadataUrl?: string | undefined;
  /** The login that is stored for the url, if there is one: scopes that the server has asked for since are added. */
  readonly previous?: Login | undefined;
  /** Scopes, separated by spaces; the scopes that the server requests when absent. */
  readonly scope?: string | undefined;
  /** Shows the user the page, and waits for the answer. */
  readonly authorize: (page: URL) => Promise<AuthorizationAnswer>;
}
