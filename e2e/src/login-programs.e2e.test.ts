import { generateKeyPairSync } from 'node:crypto';

import { RemoteServer } from '@mcpmux/test-servers/remote-server';
import { AuthorizationServer } from '@mcpmux/testing/authorization-server';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { Person, type Outcome } from './testing/person.js';

let server: RemoteServer;
let person: Person;
beforeEach(async () => {
  server = await RemoteServer.open();
  person = await Person.arrive();
});
afterEach(async () => {
  await person[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const CALL = ['call', 'far.echo', 'message=hi'];

async function called(clientCredentials: object, env: Readonly<Record<string, string>>): Promise<Outcome> {
  await person.configure({ mcpServers: { far: { url: server.url, mux: { clientCredentials } } } });
  return await person.run(CALL, { env });
}

const RSA = generateKeyPairSync('rsa', { modulusLength: 2048 });
const EC = generateKeyPairSync('ec', { namedCurve: 'P-256' });

it.each([
  ['RS256', RSA, RSA.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(), {}],
  ['PS256', RSA, RSA.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), { algorithm: 'PS256' }],
  ['ES256', EC, JSON.stringify(EC.privateKey.export({ format: 'jwk' })), {}],
])('a program signs its requests for tokens with a key: %s', async (algorithm, pair, KEY, more) => {
  const key = { ...pair.publicKey.export({ format: 'jwk' }), use: 'sig' };
  await using authorization = await AuthorizationServer.open({ program: { id: 'mux', key, algorithm } });
  server.intercept = authorization.createGuard(server.url);
  const client = { issuer: authorization.issuer, clientId: 'mux', privateKey: '${KEY}', ...more };
  expect(await called(client, { KEY })).toMatchObject({ code: 0, stdout: 'hi\n' });
  expect(authorization.issuedTokens.size).toBe(1);

  const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const wrong = other.export({ type: 'pkcs8', format: 'pem' }).toString();
  const refused = await called(client, { KEY: wrong });
  expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining('got no token') });
  for (const text of [wrong, KEY]) expect(JSON.stringify(refused)).not.toContain(text.slice(60, 120));
  const unreadable = await called(client, { KEY: 'no k3y at all' });
  expect(unreadable).toMatchObject({ code: 4, stderr: expect.stringContaining('cannot be read') });
  expect(unreadable.stderr).not.toContain('k3y');
});

/** An identity provider, and an authorization server that takes its grants: the two of SEP-990. */
class Organization {
  readonly exchanged: URLSearchParams[] = [];
  readonly granted: URLSearchParams[] = [];
  readonly clients: (string | undefined)[] = [];
  private readonly tokens = new Set<string>();

  constructor(private readonly at: RemoteServer) {
    const { origin } = new URL(at.url);
    const metadata = (issuer: string, grant: string): object => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      response_types_supported: ['code'],
      grant_types_supported: [grant],
      token_endpoint_auth_methods_supported: ['client_secret_basic'],
    });
    at.intercept = ({ path, body, headers }, response) => {
      const answer = (status: number, value: object): true => {
        const challenge = {
          'www-authenticate': `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`,
        };
        response.writeHead(status, { 'content-type': 'application/json', ...(status === 401 && challenge) });
        response.end(JSON.stringify(value));
        return true;
      };
      if (path.startsWith('/.well-known/oauth-protected-resource'))
        return answer(200, {
          resource: at.url,
          authorization_servers: [`${origin}/as`],
          scopes_supported: ['tools'],
        });
      if (path.startsWith('/.well-known/') && path.endsWith('/as'))
        return answer(200, metadata(`${origin}/as`, JWT_BEARER));
      if (path.startsWith('/.well-known/') && path.endsWith('/idp'))
        return answer(200, metadata(`${origin}/idp`, EXCHANGE));
      const form = new URLSearchParams(String(body));
      if (path === '/idp/token') return answer(...this.exchange(form));
      if (path === '/as/token') return answer(...this.grant(form, headers.authorization));
      const isKnown = this.tokens.has(headers.authorization?.replace('Bearer ', '') ?? '');
      return isKnown ? false : answer(401, { error: 'invalid_token' });
    };
  }

  private exchange(form: URLSearchParams): [number, object] {
    this.exchanged.push(form);
    if (form.get('subject_token') !== ID_TOKEN) return [400, { error: 'invalid_grant' }];
    return [200, { access_token: 'id-jag', token_type: 'N_A', issued_token_type: ID_JAG, expires_in: 300 }];
  }

  private grant(form: URLSearchParams, authorization: string | undefined): [number, object] {
    this.granted.push(form);
    this.clients.push(authorization);
    if (form.get('assertion') !== 'id-jag') return [400, { error: 'invalid_grant' }];
    this.tokens.add('of-the-user');
    return [200, { access_token: 'of-the-user', token_type: 'Bearer', expires_in: 300 }];
  }

  /** The settings of a config for it. */
  get settings(): object {
    const { origin } = new URL(this.at.url);
    const identity = {
      issuer: `${origin}/idp`,
      clientId: 'at-idp',
      clientSecret: '${IDP_SECRET}',
      idToken: '${ID_TOKEN}',
    };
    return { issuer: `${origin}/as`, clientId: 'at-as', clientSecret: '${AS_SECRET}', identity };
  }
}

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag';
const ID_TOKEN = 'eyJ.the-id-t0ken.sig';
const SECRETS = { IDP_SECRET: 'idp-s3cret', AS_SECRET: 'as-s3cret', ID_TOKEN };

it('the identity provider of an organization gives a grant for the server, and no person logs in', async () => {
  const organization = new Organization(server);
  expect(await called(organization.settings, SECRETS)).toMatchObject({ code: 0, stdout: 'hi\n' });
  const { origin } = new URL(server.url);
  expect(Object.fromEntries(organization.exchanged[0] ?? [])).toMatchObject({
    grant_type: EXCHANGE,
    requested_token_type: ID_JAG,
    subject_token: ID_TOKEN,
    audience: `${origin}/as`,
    resource: server.url,
    client_id: 'at-idp',
  });
  expect(Object.fromEntries(organization.granted[0] ?? [])).toMatchObject({
    grant_type: JWT_BEARER,
    assertion: 'id-jag',
  });
  expect(organization.clients).toEqual([`Basic ${Buffer.from('at-as:as-s3cret').toString('base64')}`]);
});

it('an ID token that has expired is reported without it', async () => {
  const organization = new Organization(server);
  const refused = await called(organization.settings, { ...SECRETS, ID_TOKEN: 'eyJ.an-0ld-token.sig' });
  expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining('invalid_grant') });
  for (const secret of ['an-0ld-token', 'idp-s3cret', 'as-s3cret'])
    expect(refused.stderr).not.toContain(secret);
  expect(organization.granted).toEqual([]);
});
