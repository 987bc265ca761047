import { createHash, randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';

import type { RemoteRequest, RemoteServer } from './remote-server.js';

/** How a {@link LoginGate} behaves. */
export interface LoginGateOptions {
  /** Who the page says it is, in place of the authorization server. */
  readonly iss?: string;
  /** The client that it knows; others register themselves when absent. */
  readonly client?: string;
  /** Gives no refresh tokens. */
  readonly once?: boolean;
}

/** Puts a login before a {@link RemoteServer}: it is the authorization server as well, and its page asks nothing. */
export class LoginGate {
  /** What was asked of the token endpoint. */
  readonly asked: URLSearchParams[] = [];
  readonly registered: unknown[] = [];
  readonly issuer: string;
  #valid = '';
  #refresh = '';
  #given = 0;
  readonly #codes = new Map<string, URLSearchParams>();

  constructor(
    private readonly server: RemoteServer,
    private readonly options: LoginGateOptions = {},
  ) {
    this.issuer = new URL(server.url).origin;
    server.intercept = (request, response) => this.#answer(request, response);
  }

  /** The access token that was given last is taken no more. */
  expire(): void {
    this.#valid = '';
  }

  /** Neither is the refresh token. */
  revoke(): void {
    this.expire();
    this.#refresh = '';
  }

  #answer(request: RemoteRequest, response: ServerResponse): boolean {
    const { pathname, searchParams } = new URL(request.path, this.server.url);
    if (pathname.startsWith('/.well-known/oauth-protected-resource'))
      return json(response, 200, { resource: this.server.url, authorization_servers: [this.issuer] });
    if (pathname.startsWith('/.well-known/')) return json(response, 200, this.#metadata());
    if (pathname === '/register') return this.#register(request, response);
    if (pathname === '/authorize') return this.#authorize(searchParams, response);
    if (pathname === '/token') return this.#token(new URLSearchParams(String(request.body)), response);
    if (this.#valid !== '' && request.headers.authorization === `Bearer ${this.#valid}`) return false;
    const where = `resource_metadata="${this.issuer}/.well-known/oauth-protected-resource/mcp"`;
    return json(response, 401, { error: 'invalid_token' }, { 'www-authenticate': `Bearer ${where}` });
  }

  #metadata(): object {
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
    };
  }

  #register({ body }: RemoteRequest, response: ServerResponse): boolean {
    this.registered.push(body);
    return json(response, 201, { ...Object(body), client_id: 'client-1' });
  }

  #authorize(query: URLSearchParams, response: ServerResponse): boolean {
    const back = new URL(query.get('redirect_uri') ?? '');
    const code = randomUUID();
    this.#codes.set(code, query);
    back.searchParams.set('code', code);
    back.searchParams.set('state', query.get('state') ?? '');
    back.searchParams.set('iss', this.options.iss ?? this.issuer);
    response.writeHead(302, { location: back.href });
    response.end();
    return true;
  }

  #token(form: URLSearchParams, response: ServerResponse): boolean {
    this.asked.push(form);
    if (!this.#isRight(form)) return json(response, 400, { error: 'invalid_grant' });
    this.#given += 1;
    this.#valid = `access-${this.#given}`;
    this.#refresh = `refresh-${this.#given}`;
    return json(response, 200, {
      access_token: this.#valid,
      token_type: 'Bearer',
      expires_in: 3600,
      ...(this.options.once !== true && { refresh_token: this.#refresh }),
    });
  }

  #isRight(form: URLSearchParams): boolean {
    if (form.get('client_id') !== (this.options.client ?? 'client-1')) return false;
    if (form.get('grant_type') === 'refresh_token')
      return this.#refresh !== '' && form.get('refresh_token') === this.#refresh;
    const query = this.#codes.get(form.get('code') ?? '');
    this.#codes.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    return (
      query?.get('code_challenge') === challenge && query.get('redirect_uri') === form.get('redirect_uri')
    );
  }
}

function json(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): true {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
  return true;
}
