import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Provider, type Configuration } from 'oidc-provider';

/**
 * Rejects a request without a valid token and returns true. Otherwise returns false, and the server must respond to the
 * request.
 */
export type LoginGuard = (
  request: { readonly path: string; readonly headers: { readonly authorization?: string | undefined } },
  response: ServerResponse,
) => boolean;

/** The options of an {@link AuthorizationServer}. */
export interface AuthorizationServerOptions {
  /** The settings of the device grant. If absent, the server does not support it. */
  readonly device?: {
    /** The lifetime of a device code, in seconds. Defaults to 600. */
    readonly lifetimeSeconds?: number;
    /** The minimum time between two polls, in milliseconds. The response to an earlier poll is `slow_down`. */
    readonly minPollIntervalMs?: number;
  };
  /** A client program that signs its assertions with the private key for this public JWK (RFC 7523). */
  readonly program?: { readonly id: string; readonly key: object; readonly algorithm: string };
}

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** A real authorization server (oidc-provider) on 127.0.0.1. The tests act as its users. */
export class AuthorizationServer implements AsyncDisposable {
  /** The access tokens that the server has issued. */
  readonly issuedTokens = new Set<string>();
  /** When clients polled for tokens, in milliseconds. */
  readonly pollTimes: number[] = [];

  private constructor(
    readonly issuer: string,
    private readonly provider: Provider,
    private readonly server: Server,
  ) {
    provider.on('access_token.saved', ({ jti }) => this.issuedTokens.add(jti));
    provider.on('client_credentials.saved', ({ jti }) => this.issuedTokens.add(jti));
  }

  static async open(options: AuthorizationServerOptions = {}): Promise<AuthorizationServer> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const provider = new Provider(issuer, createConfiguration(options));
    const authorizationServer = new AuthorizationServer(issuer, provider, server);
    provider.use(async (context, next) => {
      await next();
      const body: unknown = context.body;
      if (typeof body !== 'object' || body === null) return;
      // The library sends no interval, so clients would use the default interval of 5 seconds.
      if ('device_code' in body) Object.assign(body, { interval: 1 });
      const isPending = 'error' in body && body.error === 'authorization_pending';
      const isPoll = context.oidc?.params?.['grant_type'] === DEVICE_GRANT;
      if (isPoll && authorizationServer.isNextPollTooFast(options.device?.minPollIntervalMs) && isPending)
        context.body = { error: 'slow_down' };
    });
    const handleRequest = provider.callback();
    server.on('request', (request, response) => void handleRequest(request, response));
    return authorizationServer;
  }

  /**
   * Returns a guard for the server at a URL. With the guard, the server accepts only tokens from this authorization
   * server.
   */
  createGuard(url: string): LoginGuard {
    const { origin } = new URL(url);
    const metadataPath = '/.well-known/oauth-protected-resource';
    return ({ path, headers }, response) => {
      const isForMetadata = path.startsWith(metadataPath);
      if (!isForMetadata && this.issuedTokens.has(headers.authorization?.replace('Bearer ', '') ?? ''))
        return false;
      response.writeHead(isForMetadata ? 200 : 401, {
        'content-type': 'application/json',
        'www-authenticate': `Bearer resource_metadata="${origin}${metadataPath}", scope="tools"`,
      });
      response.end(JSON.stringify({ resource: url, authorization_servers: [this.issuer] }));
      return true;
    };
  }

  /** Allows or denies a login, as the person who enters the code would. */
  async answerLogin(userCode: string, isAllowed = true): Promise<void> {
    const code = await this.provider.DeviceCode.findByUserCode(userCode.replaceAll(/[^A-Z]/g, ''));
    if (code?.clientId === undefined) throw new Error(`nobody was given the code ${userCode}`);
    if (isAllowed) {
      const grant = new this.provider.Grant({ clientId: code.clientId, accountId: 'ann' });
      grant.addOIDCScope('openid');
      const { resource } = code.params ?? {};
      for (const resourceUri of [resource].flat())
        if (typeof resourceUri === 'string') grant.addResourceScope(resourceUri, 'tools');
      Object.assign(code, { accountId: 'ann', grantId: await grant.save(), scope: 'tools', resource });
    } else Object.assign(code, { error: 'access_denied', errorDescription: 'no' });
    await code.save();
  }

  private isNextPollTooFast(minPollIntervalMs = 0): boolean {
    const now = Date.now();
    const lastPoll = this.pollTimes.at(-1) ?? 0;
    this.pollTimes.push(now);
    return now - lastPoll < minPollIntervalMs;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

function createConfiguration({ device, program }: AuthorizationServerOptions): Configuration {
  const client = program && {
    client_id: program.id,
    grant_types: ['client_credentials'],
    response_types: [],
    redirect_uris: [],
    token_endpoint_auth_method: 'private_key_jwt' as const,
    token_endpoint_auth_signing_alg: program.algorithm,
    jwks: { keys: [program.key] },
  };
  return {
    clients: client === undefined ? [] : [client as never],
    enabledJWA: { clientAuthSigningAlgValues: ['RS256', 'PS256', 'ES256'] },
    features: {
      registration: { enabled: true },
      deviceFlow: { enabled: device !== undefined },
      clientCredentials: { enabled: client !== undefined },
      devInteractions: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: () => ({ scope: 'tools', accessTokenFormat: 'opaque' }),
        useGrantedResource: () => true,
      },
    },
    scopes: ['openid', 'tools'],
    issueRefreshToken: () => Promise.resolve(true),
    ttl: { DeviceCode: device?.lifetimeSeconds ?? 600 },
    findAccount: (_, id) => ({ accountId: id, claims: () => Promise.resolve({ sub: id }) }),
  };
}
