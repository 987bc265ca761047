import type { Login } from './login-store.js';

/** The authorization server's response, from the query of the redirect URL. */
export interface AuthorizationAnswer {
  readonly code: string;
  readonly state: string | undefined;
  /** The issuer of the response (RFC 9207). */
  readonly iss: string | undefined;
}

/** A JSON-RPC request, or a notification if it has no id. */
export interface ProbeMessage {
  readonly jsonrpc: '2.0';
  readonly id?: number;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** Messages that test if a server requires a login. */
export interface LoginProbe {
  /** The message that opens a session. */
  readonly opening: ProbeMessage;
  /** Further messages, for a server that opens a session for every client but may refuse these messages. */
  readonly following: readonly ProbeMessage[];
}

/** The page on which a person enters a code, on any device. */
export interface DevicePrompt {
  /** At most 64 printable characters of ASCII. */
  readonly code: string;
  readonly page: URL;
  /** The page with the code in its URL. */
  readonly direct?: URL;
  /** The time until the code expires, in milliseconds. */
  readonly lifeMs: number;
}

/** The parameters of a user's login to a remote server. */
export interface LoginInit {
  readonly url: string;
  /** Headers for the server. They are sent to no other origin. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The URL to which the authorization server redirects the user. */
  readonly redirectUrl: URL;
  /** mcpmux's client registration at the authorization server. If absent, mcpmux registers itself. */
  readonly client?: { readonly clientId: string; readonly clientSecret?: string | undefined } | undefined;
  /**
   * The https URL of a client metadata document that describes mcpmux, for authorization servers that support such
   * documents.
   */
  readonly clientMetadataUrl?: string | undefined;
  /** The stored login for the URL, if there is one. Scopes that the server has since requested are added. */
  readonly previous?: Login | undefined;
  /** Scopes, separated by spaces. If absent, the scopes that the server requests. */
  readonly scope?: string | undefined;
  /**
   * Shows the page and the code of a device grant (RFC 8628). If absent, or if the authorization server does not offer
   * the grant, the login uses `authorize`.
   */
  readonly device?: ((prompt: DevicePrompt) => void) | undefined;
  /** Shows the login page to the user, and waits for the response. */
  readonly authorize: (page: URL) => Promise<AuthorizationAnswer>;
}
