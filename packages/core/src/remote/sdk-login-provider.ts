import { randomBytes } from 'node:crypto';

import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  OAuthTokens,
  StoredOAuthClientInformation,
} from '@modelcontextprotocol/client';

import type { LoginInit } from './login-init.js';
import type { StoredLogin } from './stored-login.js';

/** What the SDK keeps between the parts of one login, and what of it is kept beyond. */
export class LoginProvider implements OAuthClientProvider {
  /** Comes back with the answer that belongs to this login. */
  readonly ownState = randomBytes(32).toString('base64url');
  /** The page that the user is to see, once it is known. */
  page: URL | undefined;
  private verifier = '';
  private client: OAuthClientInformationMixed | undefined;
  private given: OAuthTokens | undefined;
  private discovered: OAuthDiscoveryState | undefined;
  private resource: string | undefined;

  constructor(private readonly init: LoginInit) {
    const { client } = init;
    if (client === undefined) return;
    const { clientId, clientSecret } = client;
    this.client = { client_id: clientId, ...(clientSecret !== undefined && { client_secret: clientSecret }) };
  }

  get redirectUrl(): string {
    return this.init.redirectUrl.href;
  }

  get clientMetadata(): OAuthClientMetadata {
    const { scope } = this.init;
    return {
      client_name: 'mcpmux',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      ...(scope !== undefined && { scope }),
    };
  }

  /** The login to save, once there are tokens. */
  get login(): StoredLogin | undefined {
    const { client, given, discovered, resource } = this;
    const metadata = discovered?.authorizationServerMetadata;
    if (client === undefined || given === undefined || discovered === undefined) return undefined;
    const { access_token, refresh_token, scope } = given;
    return {
      version: 1,
      authorizationServer: metadata?.issuer ?? discovered.authorizationServerUrl,
      tokenEndpoint: metadata?.token_endpoint ?? new URL('/token', discovered.authorizationServerUrl).href,
      authMethods: metadata?.token_endpoint_auth_methods_supported,
      resource,
      client: { client_id: client.client_id, client_secret: client.client_secret },
      tokens: { access_token, refresh_token, scope },
    };
  }

  state(): string {
    return this.ownState;
  }

  clientInformation({ issuer }: { issuer?: string } = {}): StoredOAuthClientInformation | undefined {
    // Whom it is known to is said with each login, and not kept.
    return this.client && { ...this.client, ...(issuer !== undefined && { issuer }) };
  }

  saveClientInformation(client: OAuthClientInformationMixed): void {
    this.client = client;
  }

  tokens(): undefined {
    // A login must bring new tokens.
  }

  saveTokens(tokens: OAuthTokens): void {
    this.given = tokens;
  }

  redirectToAuthorization(page: URL): void {
    this.page = page;
  }

  saveCodeVerifier(verifier: string): void {
    this.verifier = verifier;
  }

  codeVerifier(): string {
    return this.verifier;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.discovered;
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.discovered = state;
  }

  saveResourceUrl(resource: string): void {
    this.resource = resource;
  }
}
