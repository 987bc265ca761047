import type { ServerResponse } from 'node:http';

const WELL_KNOWN_PATH = '/.well-known/oauth-protected-resource';

/** A protected resource and the authorization servers that issue tokens for it (RFC 9728). */
export interface ResourceOptions {
  /** The full URL at which clients connect to the front. */
  readonly url: string;
  /** The authorization servers that issue tokens. */
  readonly authorizationServers: readonly string[];
  /** The scopes that clients may request from the authorization servers. */
  readonly scopes?: readonly string[] | undefined;
}

/** Serves the OAuth 2.0 protected resource metadata (RFC 9728), which lists the authorization servers for clients. */
export class ResourceMetadata {
  private readonly url: URL;
  private readonly json: string;

  constructor({ url, authorizationServers, scopes }: ResourceOptions) {
    this.url = new URL(url);
    this.json = JSON.stringify({
      resource: url,
      authorization_servers: authorizationServers,
      bearer_methods_supported: ['header'],
      ...(scopes !== undefined && { scopes_supported: scopes }),
      resource_name: 'mcpmux',
    });
  }

  /** Responds to a request for the metadata. Returns false for any other path. */
  serve(path: string, response: ServerResponse): boolean {
    if (path !== WELL_KNOWN_PATH && path !== this.path) return false;
    response
      .writeHead(200, { 'content-type': 'application/json', 'cache-control': 'max-age=3600' })
      .end(this.json);
    return true;
  }

  /** The part of a `WWW-Authenticate` challenge that refers to the metadata. */
  get challengeParameter(): string {
    return `resource_metadata="${this.url.origin}${this.path}"`;
  }

  private get path(): string {
    const { pathname } = this.url;
    return pathname === '/' ? WELL_KNOWN_PATH : `${WELL_KNOWN_PATH}${pathname}`;
  }
}
