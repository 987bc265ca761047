/** The authorization server's answer, from the query of the redirect url. */
export interface AuthorizationAnswer {
  readonly code: string;
  readonly state: string | undefined;
  /** The issuer of the answer (RFC 9207). */
  readonly iss: string | undefined;
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
  /** Scopes, separated by spaces; the scopes that the server requests when absent. */
  readonly scope?: string | undefined;
  /** Shows the user the page, and waits for the answer. */
  readonly authorize: (page: URL) => Promise<AuthorizationAnswer>;
}
