/** What came back from the page of an authorization server, in the query of the redirect url. */
export interface AuthorizationAnswer {
  readonly code: string;
  readonly state: string | undefined;
  /** Who says so (RFC 9207). */
  readonly iss: string | undefined;
}

/** How a user logs in to a server at a url. */
export interface LoginInit {
  readonly url: string;
  /** Sent to the server, and to no other origin. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Where the page of the authorization server leads back to. */
  readonly redirectUrl: URL;
  /** Who mcpmux is to the authorization server; it registers itself when absent. */
  readonly client?: { readonly clientId: string; readonly clientSecret?: string | undefined } | undefined;
  /** Scopes, separated by spaces; what the server asks for when absent. */
  readonly scope?: string | undefined;
  /** Shows the user the page, and waits for what comes back. */
  readonly authorize: (page: URL) => Promise<AuthorizationAnswer>;
}
