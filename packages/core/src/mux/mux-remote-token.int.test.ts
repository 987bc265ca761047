import type { ServerResponse } from 'node:http';

import { RemoteServer, type RemoteRequest } from '@mcpmux/test-servers/remote-server';
import { expect, it } from 'vitest';

import type { ClientCredentials } from '../index.js';
import { MuxRig, textOf } from '../testing/mux-rig.js';

const CLIENT = { clientId: 'mcpmux-test', clientSecret: 'cl1ent-s3cret' };
const BASIC = `Basic ${Buffer.from(`${CLIENT.clientId}:${CLIENT.clientSecret}`).toString('base64')}`;

function credentials({ url }: RemoteServer): ClientCredentials {
  return { issuer: new URL(url).origin, ...CLIENT };
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

/** Makes a server want tokens, and be the authorization server that gives them out: `token-1`, `token-2`, … */
function withTokens(server: RemoteServer): { expire(): void; readonly asked: readonly RemoteRequest[] } {
  const issuer = new URL(server.url).origin;
  const asked: RemoteRequest[] = [];
  let given = 0;
  let valid = '';
  server.intercept = (request, response) => {
    const { path, headers } = request;
    if (path.startsWith('/.well-known/oauth-protected-resource'))
      return json(response, 200, { resource: server.url, authorization_servers: [issuer] });
    if (path.startsWith('/.well-known/'))
      return json(response, 200, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        response_types_supported: ['code'],
        grant_types_supported: ['client_credentials'],
        token_endpoint_auth_methods_supported: ['client_secret_basic'],
      });
    if (path === '/token') {
      asked.push(request);
      if (headers.authorization !== BASIC) return json(response, 401, { error: 'invalid_client' });
      given += 1;
      valid = `token-${given}`;
      return json(response, 200, { access_token: valid, token_type: 'Bearer' });
    }
    if (valid !== '' && headers.authorization === `Bearer ${valid}`) return false;
    return json(response, 401, { error: 'invalid_token' }, { 'www-authenticate': 'Bearer' });
  };
  return { asked, expire: () => (valid = '') };
}

it('S13: client credentials get a token, and another one when the server takes it no more', async () => {
  await using server = await RemoteServer.open();
  const tokens = withTokens(server);
  await using rig = await MuxRig.open();
  const headers = { 'X-Tenant': 'only-for-the-server' };
  await rig.mux.addServer('far', { url: server.url, headers, clientCredentials: credentials(server) });
  expect(textOf((await rig.client.call('far__echo', { message: 'in' })).result)).toBe('in');
  expect(tokens.asked).toHaveLength(1);
  tokens.expire();
  expect(textOf((await rig.client.call('far__echo', { message: 'again' })).result)).toBe('again');
  expect(tokens.asked).toHaveLength(2);
  expect(tokens.asked.map(({ headers: sent }) => sent['x-tenant'])).toEqual([undefined, undefined]);
  const shown = JSON.stringify([rig.mux.listServers(), rig.logger.records, rig.client.lines]);
  for (const secret of [CLIENT.clientSecret, 'token-1', 'only-for']) expect(shown).not.toContain(secret);
});

it('S13: client credentials that are not accepted are told, without them', async () => {
  await using server = await RemoteServer.open();
  withTokens(server);
  await using rig = await MuxRig.open();
  const clientCredentials = { ...credentials(server), clientSecret: 'wr0ng-s3cret' };
  const added = rig.mux.addServer('far', { url: server.url, clientCredentials });
  await expect(added).rejects.toThrow(/got no token for.*\nCheck the client id, secret and scope/);
  await expect(added).rejects.not.toThrow('wr0ng-s3cret');
  expect(rig.mux.listServers()).toEqual([]);
});

it('S13: client credentials go to the authorization server that is named with them, and to no other', async () => {
  await using server = await RemoteServer.open();
  const tokens = withTokens(server);
  await using rig = await MuxRig.open();
  const clientCredentials = { ...CLIENT, issuer: 'https://login.example.com' };
  await expect(rig.mux.addServer('far', { url: server.url, clientCredentials })).rejects.toThrow(
    'cannot be reached',
  );
  expect(tokens.asked).toEqual([]);
});
