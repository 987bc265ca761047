import { createHash, randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';

import type { RemoteRequest, RemoteServer } from './remote-server.js';

/** The options of a {@link LoginGate}. */
export interface LoginGateOptions {
  /** The issuer in authorization responses. Defaults to the gate's issuer. */
  readonly iss?: string;
  /** The id of the only known client. If absent, clients register themselves. */
  readonly client?: string;
  /** True if the gate issues no refresh tokens. */
  readonly once?: boolean;
  /** The prefix of issued tokens. Defaults to `access`. */
  readonly tokenName?: string;
  /** The token type in responses. Defaults to `Bearer`. */
  readonly tokenType?: string;
  /** Members that replace members of the default metadata. Undefined members are omitted. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** JSON-RPC methods that need no token. */
  readonly openMethods?: readonly string[];
  /** Returns the scope that a JSON-RPC method requires, or undefined if none is required. */
  readonly scopeOf?: (rpc: string | undefined) => string | undefined;
}

/**
 * Requires a login for a {@link RemoteServer}, and also acts as the authorization server. Its login page redirects
 * immediately.
 */
export class LoginGate {
  /** The requests to the token endpoint. */
  readonly asked: URLSearchParams[] = [];
  readonly registered: unknown[] = [];
  /** The requests to the authorization page. */
  readonly authorized: URLSearchParams[] = [];
  readonly issuer: string;
  #authorizationServer: LoginGate = this;
  #valid = '';
  #scopes: readonly string[] = [];
  #refresh = '';
  #most: string | undefined;
  #count = 0;
  readonly #codes = new Map<string, URLSearchParams>();

  constructor(
    private readonly server: RemoteServer,
    private readonly options: LoginGateOptions = {},
  ) {
    this.issuer = new URL(server.url).origin;
    server.intercept = (request, response) => this.#answer(request, response);
  }

  /** Invalidates the most recent access token. */
  expire(): void {
    this.#valid = '';
  }

  /** Invalidates the most recent access token and its refresh token. */
  revoke(): void {
    this.expire();
    this.#refresh = '';
  }

  /**
   * Makes another gate the authorization server. From then on, this gate rejects the tokens that it has issued itself.
   */
  moveTo(other: LoginGate): void {
    this.#authorizationServer = other;
  }

  /** Withholds all scopes except this one from future tokens. The token response does not report the limit. */
  grantsOnly(scope: string): void {
    this.#most = scope;
  }

  #answer(request: RemoteRequest, response: ServerResponse): boolean {
    const { pathname, searchParams } = new URL(request.path, this.server.url);
    if (pathname.startsWith('/.well-known/oauth-protected-resource')) {
      const { issuer } = this.#authorizationServer;
      return sendJson(response, 200, { resource: this.server.url, authorization_servers: [issuer] });
    }
    if (pathname.startsWith('/.well-known/')) return sendJson(response, 200, this.#metadata());
    if (pathname === '/register') return this.#register(request, response);
    if (pathname === '/authorize') return this.#authorize(searchParams, response);
    if (pathname === '/token') return this.#token(new URLSearchParams(String(request.body)), response);
    return this.#guard(request, response);
  }

  #guard({ rpc, headers }: RemoteRequest, response: ServerResponse): boolean {
    const { openMethods = [], scopeOf } = this.options;
    if (rpc !== undefined && openMethods.includes(rpc)) return false;
    const scope = scopeOf?.(rpc);
    const { token, scopes } = this.#authorizationServer.#given;
    const asked = [
      `resource_metadata="${this.issuer}/.well-known/oauth-protected-resource/mcp"`,
      ...(scope === undefined ? [] : [`scope="${scope}"`]),
    ];
    if (token === '' || headers.authorization !== `Bearer ${token}`)
      return sendJson(response, 401, { error: 'invalid_token' }, challengeHeader(asked));
    if (scope === undefined || scopes.includes(scope)) return false;
    return sendJson(
      response,
      403,
      { error: 'forbidden' },
      challengeHeader(['error="insufficient_scope"', ...asked]),
    );
  }

  get #given(): { readonly token: string; readonly scopes: readonly string[] } {
    return { token: this.#valid, scopes: this.#scopes };
  }

  #metadata(): Readonly<Record<string, unknown>> {
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      ...(this.options.client === undefined && { registration_endpoint: `${this.issuer}/register` }),
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      authorization_response_iss_parameter_supported: true,
      ...this.options.metadata,
    };
  }

  #register({ body }: RemoteRequest, response: ServerResponse): boolean {
    this.registered.push(body);
    return sendJson(response, 201, { ...Object(body), client_id: 'client-1' });
  }

  #authorize(query: URLSearchParams, response: ServerResponse): boolean {
    const redirectUrl = new URL(query.get('redirect_uri') ?? '');
    const code = randomUUID();
    this.#codes.set(code, query);
    this.authorized.push(query);
    redirectUrl.searchParams.set('code', code);
    redirectUrl.searchParams.set('state', query.get('state') ?? '');
    redirectUrl.searchParams.set('iss', this.options.iss ?? this.issuer);
    response.writeHead(302, { location: redirectUrl.href });
    response.end();
    return true;
  }

  #token(form: URLSearchParams, response: ServerResponse): boolean {
    this.asked.push(form);
    if (!this.#isRight(form)) return sendJson(response, 400, { error: 'invalid_grant' });
    this.#count += 1;
    this.#valid = `${this.options.tokenName ?? 'access'}-${this.#count}`;
    this.#refresh = `refresh-${this.#count}`;
    return sendJson(response, 200, {
      access_token: this.#valid,
      token_type: this.options.tokenType ?? 'Bearer',
      expires_in: 3600,
      ...(this.options.once !== true && { refresh_token: this.#refresh }),
    });
  }

  #isRight(form: URLSearchParams): boolean {
    if (!this.#knows(form.get('client_id') ?? '')) return false;
    if (form.get('grant_type') !== 'refresh_token') return this.#redeem(form);
    return this.#refresh !== '' && form.get('refresh_token') === this.#refresh;
  }

  #knows(id: string): boolean {
    if (id === (this.options.client ?? 'client-1')) return true;
    return this.#metadata()['client_id_metadata_document_supported'] === true && id.startsWith('https://');
  }

  #redeem(form: URLSearchParams): boolean {
    const code = form.get('code') ?? '';
    const query = this.#codes.get(code);
    this.#codes.delete(code);
    const requestedScopes = query?.get('scope')?.split(' ') ?? [];
    this.#scopes = requestedScopes.filter((scope) => this.#most === undefined || scope === this.#most);
    const verifier = form.get('code_verifier') ?? '';
    const codeChallenge = createHash('sha256').update(verifier).digest('base64url');
    return (
      query?.get('code_challenge') === codeChallenge && query.get('redirect_uri') === form.get('redirect_uri')
    );
  }
}

function challengeHeader(parameters: readonly string[]): Record<string, string> {
  return { 'www-authenticate': `Bearer ${parameters.join(', ')}` };
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): true {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
  return true;
}
