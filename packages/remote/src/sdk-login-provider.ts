import { randomBytes } from 'node:crypto';

import {
  isHttpsUrl,
  type OAuthClientInformationMixed,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type OAuthTokens,
  type StoredOAuthClientInformation,
} from '@modelcontextprotocol/client';
import { isRecord, redactUrl } from '@mcpmux/kit';

import { requireBearer } from './bearer-token.js';
import { normalizeIssuer } from './issuer.js';
import { DEVICE_GRANT, type DeviceClient } from './sdk-device-grant.js';
import type { LoginInit } from './login-init.js';
import { requirePkce } from './require-pkce.js';
import { RemoteError } from './remote-error.js';
import { scopesIn, joinScopes } from './scopes.js';
import { readLogin, type StoredLogin } from './stored-login.js';

/** The SDK's state between the steps of one login. Part of it is saved after the login. */
export class LoginProvider implements OAuthClientProvider {
  /** The `state` parameter, which the redirect that ends this login must repeat. */
  readonly expectedState = randomBytes(32).toString('base64url');
  /** The login page for the user. Undefined until it is known. */
  page: URL | undefined;
  /** Prepares a device grant's token request. Set once the device code is known. */
  prepareTokenRequest?: () => URLSearchParams;
  private pkceVerifier = '';
  private client: OAuthClientInformationMixed | undefined;
  private newTokens: OAuthTokens | undefined;
  private discoveredState: OAuthDiscoveryState | undefined;
  private resource: string | undefined;
  private readonly previousLogin: StoredLogin | undefined;
  readonly clientMetadataUrl?: string;

  constructor(private readonly init: LoginInit) {
    const { client } = init;
    this.previousLogin = readLogin(init.previous);
    // A client metadata document identifies the same client at every server, so the previous document is reused.
    const previousClientId = this.previousLogin?.client.client_id;
    const metadataUrl =
      init.clientMetadataUrl ?? (isHttpsUrl(previousClientId) ? previousClientId : undefined);
    if (metadataUrl !== undefined) this.clientMetadataUrl = metadataUrl;
    if (client === undefined) return;
    const { clientId, clientSecret } = client;
    this.client = { client_id: clientId, ...(clientSecret !== undefined && { client_secret: clientSecret }) };
  }

  get redirectUrl(): string {
    return this.init.redirectUrl.href;
  }

  /**
   * Returns the scope to request: chosen by the user or demanded by the server. If it is undefined, the login requests
   * the scopes in the server's metadata.
   */
  scopeFor(challenge: string | undefined): string | undefined {
    const { init, previousLogin: previous } = this;
    if (init.scope !== undefined) return init.scope;
    if (previous?.wanted === undefined) return challenge;
    return joinScopes(scopesIn(previous.asked, previous.tokens.scope, challenge, previous.wanted));
  }

  get clientMetadata(): OAuthClientMetadata {
    const { scope } = this.init;
    return {
      client_name: 'mcpmux',
      redirect_uris: [this.redirectUrl],
      grant_types: [
        'authorization_code',
        'refresh_token',
        ...(this.deviceEndpoint === undefined ? [] : [DEVICE_GRANT]),
      ],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      ...(scope !== undefined && { scope }),
    };
  }

  /** The client for a device grant. Undefined if the login does not use a device grant. */
  get deviceClient(): DeviceClient | undefined {
    const { client, discoveredState, resource, page, deviceEndpoint: endpoint } = this;
    const metadata = discoveredState?.authorizationServerMetadata;
    if (
      endpoint === undefined ||
      client === undefined ||
      discoveredState === undefined ||
      metadata === undefined
    )
      return undefined;
    const scope = page?.searchParams.get('scope') ?? undefined;
    const { authorizationServerUrl: authorizationServer } = discoveredState;
    return { endpoint, authorizationServer, metadata, client, resource, scope };
  }

  private get deviceEndpoint(): string | undefined {
    const metadata: unknown = this.discoveredState?.authorizationServerMetadata;
    const endpoint = isRecord(metadata) ? metadata['device_authorization_endpoint'] : undefined;
    return this.init.device !== undefined && typeof endpoint === 'string' ? endpoint : undefined;
  }

  /** The login to save. Undefined until tokens have been obtained. */
  get login(): StoredLogin | undefined {
    const { client, newTokens, discoveredState, resource } = this;
    const metadata = discoveredState?.authorizationServerMetadata;
    if (client === undefined || newTokens === undefined || discoveredState === undefined) return undefined;
    const { access_token, refresh_token, scope } = newTokens;
    return {
      version: 1,
      authorizationServer: metadata?.issuer ?? discoveredState.authorizationServerUrl,
      tokenEndpoint:
        metadata?.token_endpoint ?? new URL('/token', discoveredState.authorizationServerUrl).href,
      authMethods: metadata?.token_endpoint_auth_methods_supported,
      resource,
      client: { client_id: client.client_id, client_secret: client.client_secret },
      asked: this.page?.searchParams.get('scope') ?? undefined,
      tokens: { access_token, refresh_token, scope },
    };
  }

  state(): string {
    return this.expectedState;
  }

  clientInformation({ issuer }: { issuer?: string } = {}): StoredOAuthClientInformation | undefined {
    const { client, previousLogin: previous } = this;
    // Compares only a client id from the user's config. Different servers may issue equal ids to registered clients.
    const isPreviousClient =
      previous !== undefined && this.init.client?.clientId === previous.client.client_id;
    if (
      client !== undefined &&
      isPreviousClient &&
      issuer !== undefined &&
      issuer !== normalizeIssuer(previous.authorizationServer)
    )
      throw wrongServerError(client.client_id, previous.authorizationServer, issuer);
    return this.client && { ...this.client, ...(issuer !== undefined && { issuer }) };
  }

  saveClientInformation(client: OAuthClientInformationMixed): void {
    this.client = client;
  }

  tokens(): undefined {
    // Always undefined, because a login must obtain new tokens.
  }

  saveTokens(tokens: OAuthTokens): void {
    requireBearer(tokens);
    this.newTokens = tokens;
  }

  redirectToAuthorization(page: URL): void {
    this.page = page;
  }

  saveCodeVerifier(verifier: string): void {
    this.pkceVerifier = verifier;
  }

  codeVerifier(): string {
    return this.pkceVerifier;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.discoveredState;
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    requirePkce(state);
    this.discoveredState = state;
  }

  saveResourceUrl(resource: string): void {
    this.resource = resource;
  }
}

function wrongServerError(client: string, previousServer: string, currentServer: string): RemoteError {
  const known = `the client ${JSON.stringify(client)} belongs to ${redactUrl(previousServer)}`;
  const advice =
    'Log out first if that is right: the client is then shown to the authorization server of now.';
  return new RemoteError(`${known}, and the server now names ${redactUrl(currentServer)}`, advice);
}
