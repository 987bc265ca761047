import { describe, expect, it } from 'vitest';

import { GuardedServer, MemoryLogins } from '../testing/logged-in.js';
import { MuxRig, textOf } from '../testing/mux-rig.js';

type Body = Record<string, unknown>;

/** Changes the documents of the authorization server on their way. */
function changing(far: GuardedServer, change: (path: string, body: Body) => Body): void {
  const { intercept } = far.server;
  far.server.intercept = (request, response) => {
    const end = response.end.bind(response) as (body?: unknown) => typeof response;
    response.end = (body?: unknown) =>
      end(
        typeof body === 'string' && !request.path.startsWith('/mcp')
          ? JSON.stringify(change(request.path, JSON.parse(body) as Body))
          : body,
      );
    return intercept(request, response);
  };
}

/** Answers the requests to the token endpoint in its place, until it is ended. */
function failing(far: GuardedServer, status: number, body: string): () => void {
  const { intercept } = far.server;
  far.server.intercept = (request, response) => {
    if (request.path !== '/token') return intercept(request, response);
    response.writeHead(status, { 'content-type': body.startsWith('{') ? 'application/json' : 'text/html' });
    response.end(body);
    return true;
  };
  return () => (far.server.intercept = intercept);
}

/** A client of a server that was logged in to. */
async function loggedIn(far: GuardedServer): Promise<MuxRig> {
  const logins = new MemoryLogins();
  await logins.save(far.url, await far.logIn());
  const rig = await MuxRig.open({}, {}, { logins });
  await rig.mux.addServer('far', { url: far.url, login: true });
  return rig;
}

describe('F12: issuers that are equal but for the slash of an empty path', () => {
  it.each(['metadata', 'resource'])('are one: the slash is in the %s alone', async (place) => {
    await using far = await GuardedServer.open();
    changing(far, (path, body) => {
      if (place === 'metadata' && 'issuer' in body) return { ...body, issuer: `${far.gate.issuer}/` };
      if (place === 'resource' && path.includes('oauth-protected-resource'))
        return { ...body, authorization_servers: [`${far.gate.issuer}/`] };
      return body;
    });
    const login = await far.logIn({}, (answer) =>
      place === 'metadata' ? { ...answer, iss: `${answer.iss}/` } : answer,
    );
    expect(login).toMatchObject({ authorizationServer: far.gate.issuer });
  });

  it.each(['metadata', 'answer'])(
    'are two in an answer, which names the issuer as the metadata do: the slash is in the %s alone',
    async (place) => {
      await using far = await GuardedServer.open();
      changing(far, (_, body) =>
        place === 'metadata' && 'issuer' in body ? { ...body, issuer: `${far.gate.issuer}/` } : body,
      );
      const login = far.logIn({}, (answer) =>
        place === 'answer' ? { ...answer, iss: `${answer.iss}/` } : answer,
      );
      await expect(login).rejects.toThrow('the answer is from another authorization server');
    },
  );

  it('are told apart with both names where they differ otherwise', async () => {
    await using far = await GuardedServer.open();
    changing(far, (_, body) => ('issuer' in body ? { ...body, issuer: `${far.gate.issuer}/other` } : body));
    const failure = await far.logIn().catch((error: unknown) => String(error));
    expect(failure).toContain(`"${far.gate.issuer}"`);
    expect(failure).toContain(`"${far.gate.issuer}/other"`);
    expect(failure).not.toContain('the answer is from another');
  });

  it('are told apart with both names where the answer to the login names another one', async () => {
    await using far = await GuardedServer.open();
    const logging = far.logIn({}, (answer) => ({ ...answer, iss: 'https://other.example' }));
    const failure = await logging.catch((error: unknown) => String(error));
    expect(failure).toContain('the answer is from another authorization server and was ignored');
    expect(failure).toContain('"https://other.example"');
  });
});

describe('W1: a token endpoint', () => {
  it.each([
    [503, '<html>Service Unavailable</html>'],
    [502, ''],
    [500, '{"error":"server_error"}'],
    [429, '{"error":"slow_down"}'],
  ])('that answers %d is one that fails for now: no login is asked for', async (status, body) => {
    await using far = await GuardedServer.open();
    await using rig = await loggedIn(far);
    far.gate.expire();
    const end = failing(far, status, body);
    const failed = textOf((await rig.client.call('far__echo', { message: 'x' })).result);
    expect(failed).toContain(`answered ${status}`);
    expect(failed).toContain('Try again later');
    expect(failed).not.toMatch(/mcpmux login|needs a login|zod|invalid_type|Raw body/i);
    end();
    expect(textOf((await rig.client.call('far__echo', { message: 'back' })).result)).toBe('back');
  });

  it('that refuses the refresh token leads to a login', async () => {
    await using far = await GuardedServer.open();
    await using rig = await loggedIn(far);
    far.gate.revoke();
    const failed = textOf((await rig.client.call('far__echo', { message: 'x' })).result);
    expect(failed).toContain('mcpmux login far');
  });
});

describe('W1: a token that has expired', () => {
  it.each([
    [{ 'www-authenticate': 'Bearer error="invalid_token"' }, '{}'],
    [{}, '{"error":"invalid_token"}'],
    [{}, '{"error":"invalid_token","error_description":"The access token expired"}'],
  ])('is renewed when it is refused with 403 %j %s', async (headers, body) => {
    await using far = await GuardedServer.open();
    await using rig = await loggedIn(far);
    const { intercept } = far.server;
    const old = 'Bearer access-1';
    far.server.intercept = (request, response) => {
      if (request.headers.authorization !== old) return intercept(request, response);
      response.writeHead(403, { 'content-type': 'application/json', ...headers }).end(body);
      return true;
    };
    expect(textOf((await rig.client.call('far__echo', { message: 'x' })).result)).toBe('x');
    expect(far.gate.asked.map((form) => form.get('grant_type'))).toEqual([
      'authorization_code',
      'refresh_token',
    ]);
  });

  it('is another refusal than a 403 that speaks of something else', async () => {
    await using far = await GuardedServer.open();
    await using rig = await loggedIn(far);
    const { intercept } = far.server;
    far.server.intercept = (request, response) => {
      if (request.rpc !== 'tools/call') return intercept(request, response);
      response.writeHead(403, { 'content-type': 'application/json' }).end('{"error":"not in this plan"}');
      return true;
    };
    expect(textOf((await rig.client.call('far__echo', { message: 'x' })).result)).toContain(
      'not in this plan',
    );
    expect(far.gate.asked).toHaveLength(1);
  });
});

describe('W2: documents of an authorization server with members that are null', () => {
  it.each<[string, Body]>([
    ['/token', { refresh_token: null, scope: null, expires_in: null, id_token: null }],
    ['/token', { token_type: undefined }],
    ['/token', { token_type: null }],
    [
      '/register',
      { client_secret: null, client_uri: null, logo_uri: null, scope: null, redirect_uris: null },
    ],
    ['/register', { redirect_uris: undefined }],
    ['/.well-known/oauth-authorization-server', { scopes_supported: null, revocation_endpoint: null }],
    ['/.well-known/oauth-protected-resource/mcp', { scopes_supported: null, resource_name: null }],
  ])('are read without them: %s %j', async (place, members) => {
    await using far = await GuardedServer.open();
    changing(far, (path, body) => (path === place ? { ...body, ...members } : body));
    await expect(far.logIn()).resolves.toMatchObject({ tokens: { access_token: 'access-1' } });
  });

  it('without a token are told in a sentence', async () => {
    await using far = await GuardedServer.open();
    changing(far, (path, body) => (path === '/token' ? { ...body, access_token: null } : body));
    const failure = await far.logIn().catch((error: unknown) => String(error));
    expect(failure).toContain('access_token');
    expect(failure).not.toMatch(/Check the url|"code":|\[\s*\{/);
  });
});
