import type { Login } from './login-store.js';

/** The authorization server's response, from the query string of the redirect URL. */
export interface AuthorizationAnswer {
  readonly code: string;
  readonly state: string | undefined;
  /** The issuer named in the response (RFC 9207). */
  readonly iss: string | undefined;
}

/** A JSON-RPC request, or a notification if it has no id. */
export interface ProbeMessage {
  readonly jsonrpc: '2.0';
  readonly id?: number;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** Messages that show whether a server requires a login. */
export interface LoginProbe {
  /** The message that opens a session. */
  readonly opening: ProbeMessage;
  /** Further messages. A server may open a session for every client but reject these. */
  readonly following: readonly ProbeMessage[];
}

/** A device code, and the page on which a person enters it on any device. */
export interface DevicePrompt {
  /** The code, at most 64 printable ASCII characters. */
  readonly code: string;
  readonly page: URL;
  /** The URL of the page, including the code. */
  readonly direct?: URL;
  /** How long the code is valid, in milliseconds. */
  readonly lifeMs: number;
}

/** The settings for a user's login to a remote server. */
export interface LoginInit {
  readonly url: string;
  /** Headers for the server. They are sent to no other origin. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The URL to which the authorization server redirects the user. */
  readonly redirectUrl: URL;
  /** The client that is registered with the authorization server. If absent, mcpmux registers a client. */
  readonly client?: { readonly clientId: string; readonly clientSecret?: string | undefined } | undefined;
  /**
   * The https URL of a client metadata document for mcpmux. Used if the authorization server supports these documents.
   */
  readonly clientMetadataUrl?: string | undefined;
  /** The stored login for the URL, if any. The new login also requests scopes that the server has since demanded. */
  readonly previous?: Login | undefined;
  /** Scopes, separated by spaces. Defaults to the scopes that the server names. */
  readonly scope?: string | undefined;
  /**
   * Shows the page and the code of a device grant (RFC 8628). The login uses `authorize` if this function is absent or
   * the authorization server does not support the grant.
   */
  readonly device?: ((prompt: DevicePrompt) => void) | undefined;
  /** Shows the login page to the user. Resolves to the authorization server's response. */
  readonly authorize: (page: URL) => Promise<AuthorizationAnswer>;
}
