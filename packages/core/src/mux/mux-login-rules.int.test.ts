import { describe, expect, it } from 'vitest';

import { GuardedServer, MemoryLogins } from '../testing/logged-in.js';
import { MuxRig, textOf } from '../testing/mux-rig.js';

const DOCUMENT = 'https://mcpmux.example/client.json';

describe('I18: a login goes on only with an authorization server', () => {
  it.each([
    ['names no method', undefined, 'code_challenge_methods_supported'],
    ['has none but plain', ['plain'], 'S256'],
  ])('that supports PKCE: one that %s is refused', async (_title, methods, reported) => {
    await using far = await GuardedServer.open({ metadata: { code_challenge_methods_supported: methods } });
    await expect(far.logIn()).rejects.toThrow(reported);
    await expect(far.logIn()).rejects.toThrow('PKCE');
    expect(far.gate.registered).toEqual([]);
    expect(far.gate.authorized).toEqual([]);
  });

  it('that has metadata, because nothing else says that it supports PKCE', async () => {
    await using far = await GuardedServer.open();
    const { intercept } = far.server;
    far.server.intercept = (request, response) => {
      if (!request.path.includes('authorization-server') && !request.path.includes('openid'))
        return intercept(request, response);
      response.writeHead(404).end();
      return true;
    };
    await expect(far.logIn()).rejects.toThrow('PKCE');
    expect(far.gate.registered).toEqual([]);
  });

  it('that gives bearer tokens', async () => {
    await using far = await GuardedServer.open({ tokenType: 'mac' });
    await expect(far.logIn()).rejects.toThrow(/token of the type "mac"/);
    await using odd = await GuardedServer.open({ tokenType: 'ma\u001B[31mc' });
    await expect(odd.logIn()).rejects.toThrow(/^[ -~]*another type[ -~]*$/);
  });
});

it('I18: a renewed token that is no bearer token is not sent', async () => {
  const options = { tokenType: 'bearer' };
  await using far = await GuardedServer.open(options);
  const logins = new MemoryLogins();
  await logins.save(far.url, await far.logIn());
  await using rig = await MuxRig.open({}, {}, { logins });
  await rig.mux.addServer('far', { url: far.url, login: true });
  options.tokenType = 'N_A';
  far.gate.expire();
  const { result } = await rig.client.call('far__echo', { message: 'x' });
  expect(textOf(result)).toMatch(/token of the type "N_A".*\n.*mcpmux login far/);
  expect(far.server.requests.map(({ headers }) => headers.authorization)).not.toContain('Bearer access-2');
});

it('S13: a client metadata document is the client where the authorization server takes one', async () => {
  await using far = await GuardedServer.open({ metadata: { client_id_metadata_document_supported: true } });
  const login = await far.logIn({ clientMetadataUrl: DOCUMENT });
  expect(far.gate.registered).toEqual([]);
  expect(far.gate.authorized[0]?.get('client_id')).toBe(DOCUMENT);
  expect(login).toMatchObject({ client: { client_id: DOCUMENT } });
  await far.logIn({ previous: login });
  expect(far.gate.authorized[1]?.get('client_id')).toBe(DOCUMENT);
});

it('S13: where documents are not taken, mcpmux registers itself', async () => {
  await using far = await GuardedServer.open();
  await far.logIn({ clientMetadataUrl: DOCUMENT });
  expect(far.gate.authorized[0]?.get('client_id')).toBe('client-1');
});
