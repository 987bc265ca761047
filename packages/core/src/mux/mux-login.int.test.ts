import { expect, it } from 'vitest';

import { GuardedServer, MemoryLogins } from '../testing/logged-in.js';
import { MuxRig, textOf } from '../testing/mux-rig.js';

const EVIL = 'https://evil.example';

it('S13: a login is by authorization code with PKCE, for the server that is named, and used by the next session', async () => {
  await using far = await GuardedServer.open();
  const logins = new MemoryLogins();
  await logins.save(far.url, await far.logIn());
  expect(far.gate.registered).toMatchObject([{ client_name: 'mcpmux', token_endpoint_auth_method: 'none' }]);
  expect(far.gate.asked[0]?.get('resource')).toBe(far.url);
  await using rig = await MuxRig.open({}, {}, { logins });
  await rig.mux.addServer('far', { url: far.url, login: true });
  expect(textOf((await rig.client.call('far__echo', { message: 'in' })).result)).toBe('in');
  const shown = JSON.stringify([rig.mux.listServers(), rig.logger.records, rig.client.lines]);
  for (const secret of ['access-1', 'refresh-1']) expect(shown).not.toContain(secret);
});

it('S13: a token that is taken no more is renewed once for all calls, and kept', async () => {
  await using far = await GuardedServer.open();
  const logins = new MemoryLogins();
  await logins.save(far.url, await far.logIn());
  await using rig = await MuxRig.open({}, {}, { logins });
  await rig.mux.addServer('far', { url: far.url, login: true, headers: { 'X-Tenant': 'for-the-server' } });
  far.gate.expire();
  const calls = ['a', 'b', 'c'].map((message) => rig.client.call('far__echo', { message }));
  expect((await Promise.all(calls)).map(({ result }) => textOf(result))).toEqual(['a', 'b', 'c']);
  expect(far.gate.asked.map((form) => form.get('grant_type'))).toEqual([
    'authorization_code',
    'refresh_token',
  ]);
  expect(logins.kept.get(far.url)).toMatchObject({ tokens: { refresh_token: 'refresh-2' } });
  const toTokens = far.server.requests.filter(({ path }) => path === '/token');
  expect(toTokens.map(({ headers }) => headers['x-tenant'])).toEqual([undefined, undefined]);
});

it('S13: a token that another mcpmux has renewed is taken from where it is kept', async () => {
  await using far = await GuardedServer.open();
  const logins = new MemoryLogins();
  await logins.save(far.url, await far.logIn());
  await using one = await MuxRig.open({}, {}, { logins });
  await using two = await MuxRig.open({}, {}, { logins });
  for (const { mux } of [one, two]) await mux.addServer('far', { url: far.url, login: true });
  far.gate.expire();
  for (const { client } of [one, two])
    expect(textOf((await client.call('far__echo', { message: 'x' })).result)).toBe('x');
  expect(far.gate.asked).toHaveLength(2);
});

it('S13: without a login, and with one that is of no more use, it is told how to log in', async () => {
  await using far = await GuardedServer.open();
  const logins = new MemoryLogins();
  await using rig = await MuxRig.open({}, {}, { logins });
  const none = rig.mux.addServer('far', { url: far.url, login: true });
  await expect(none).rejects.toThrow(/needs a login: nobody has logged in.*\n.*mcpmux login far/);
  await logins.save(far.url, await far.logIn());
  await rig.mux.addServer('far', { url: far.url, login: true });
  far.gate.revoke();
  const { result } = await rig.client.call('far__echo', { message: 'x' });
  expect(textOf(result)).toMatch(/the stored login could not be renewed .*\n.*mcpmux login far/);
  expect(JSON.stringify(rig.client.lines)).not.toContain('refresh-1');
});

it('S13: a server that an agent adds gets no login of the user', async () => {
  await using far = await GuardedServer.open();
  const logins = new MemoryLogins();
  await logins.save(far.url, await far.logIn());
  await using rig = await MuxRig.open({}, {}, { logins });
  const { result } = await rig.client.call('add_server', { name: 'far', url: far.url });
  expect(result).toMatchObject({ isError: true });
  expect(far.server.requests.at(-1)?.headers.authorization).toBeUndefined();
});

it('I18: an answer of another authorization server, or to another login, gets no token', async () => {
  await using other = await GuardedServer.open({ iss: EVIL });
  await expect(other.logIn()).rejects.toThrow('the answer is from another authorization server');
  await using far = await GuardedServer.open();
  const wrong = far.logIn({}, (answer) => ({ ...answer, state: 'of-another' }));
  await expect(wrong).rejects.toThrow('belongs to another login');
  const stripped = far.logIn({}, (answer) => ({ ...answer, iss: undefined }));
  await expect(stripped).rejects.toThrow('the answer is from another authorization server');
  expect([...other.gate.asked, ...far.gate.asked]).toEqual([]);
});

it('S13: a client that is known to the authorization server is used as it is', async () => {
  await using far = await GuardedServer.open({ client: 'known' });
  await expect(far.logIn()).rejects.toThrow('does not support dynamic client registration');
  await expect(far.logIn({ client: { clientId: 'known' } })).resolves.toMatchObject({
    client: { client_id: 'known' },
  });
});

it('S13: where no login is wanted, that is said', async () => {
  await using far = await GuardedServer.open();
  far.server.intercept = () => false;
  await expect(far.logIn()).rejects.toThrow('answers without a login');
});

it('S13: a token that is refused although it is new is told, and not asked for again and again', async () => {
  await using far = await GuardedServer.open();
  const logins = new MemoryLogins();
  await logins.save(far.url, await far.logIn());
  const { intercept } = far.server;
  far.server.intercept = (request, response) => {
    if (request.path !== '/mcp') return intercept(request, response);
    response.writeHead(401, { 'www-authenticate': 'Bearer' });
    response.end();
    return true;
  };
  await using rig = await MuxRig.open({}, {}, { logins });
  const added = rig.mux.addServer('far', { url: far.url, login: true });
  await expect(added).rejects.toThrow(/answered 401 Unauthorized.*\n.*mcpmux login/);
  expect(far.gate.asked).toHaveLength(2);
});
