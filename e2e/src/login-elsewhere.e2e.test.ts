import { LoginGate } from '@mcpmux/test-servers/login-gate';
import { RemoteServer } from '@mcpmux/test-servers/remote-server';
import { AuthorizationServer } from '@mcpmux/testing/authorization-server';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { Person } from './testing/person.js';

const PAGE = /http:\/\/127\.0\.0\.1\S+\/authorize\S+/;
const CODE = /enter [A-Z]{4}-[A-Z]{4} /;

let server: RemoteServer;
let person: Person;
beforeEach(async () => {
  server = await RemoteServer.open();
  person = await Person.arrive();
  await person.configure({ mcpServers: { far: { url: server.url } } });
});
afterEach(async () => {
  await person[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

/** Puts a real authorization server before the server. */
async function guarded(): Promise<AuthorizationServer> {
  const login = await AuthorizationServer.open({ device: {} });
  server.intercept = login.createGuard(server.url);
  return login;
}

const CALL = ['call', 'far.echo', 'message=hi'];

it('a person logs in with a code on another device, or is refused', async () => {
  await using authorization = await guarded();
  const refused = person.start('login', 'far', '--no-browser');
  await authorization.answerLogin(/[A-Z]{4}-[A-Z]{4}/.exec(await refused.reported(CODE))?.[0] ?? '', false);
  expect(await refused.ended).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('the login was refused (access_denied)'),
  });
  const login = person.start('login', 'far', '--no-browser');
  await authorization.answerLogin(/[A-Z]{4}-[A-Z]{4}/.exec(await login.reported(CODE))?.[0] ?? '');
  expect(await login.ended).toMatchObject({ code: 0, stdout: '' });
  expect(await person.mcpmux(...CALL)).toMatchObject({ code: 0, stdout: 'hi\n' });
});

it('a person logs in with a browser elsewhere, whose address is pasted', async () => {
  const gate = new LoginGate(server);
  const login = person.converse('login', 'far', '--no-browser');
  const { headers } = await fetch(await login.reported(PAGE), { redirect: 'manual' });
  login.type(headers.get('location') ?? '');
  expect(await login.ended).toMatchObject({ code: 0, stdout: '' });
  expect(gate.asked).toHaveLength(1);
  expect(await person.mcpmux(...CALL)).toMatchObject({ code: 0, stdout: 'hi\n' });
});

it.each([
  ['nonsense', 'the pasted text has no code'],
  ['http://127.0.0.1/callback?code=evil&state=of-another', 'belongs to another login'],
])('what is pasted must be the answer to this login: %s', async (text, message) => {
  const gate = new LoginGate(server);
  const login = person.converse('login', 'far', '--no-browser');
  await login.reported(PAGE);
  login.type(text);
  expect(await login.ended).toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
  expect(gate.asked).toEqual([]);
});

it('a login of another machine, and a token alone, are used without a login here', async () => {
  const gate = new LoginGate(server);
  await using other = await Person.arrive();
  await other.configure({ mcpServers: { far: { url: server.url } } });
  const login = other.start('login', 'far');
  await (await fetch(await login.reported(PAGE))).text();
  const { stderr } = await login.ended;
  const file = /saved in (\S+\.json)/.exec(stderr)?.[1] ?? '';
  const text = await other.read(file.slice(other.home.length + 1));
  gate.expire();
  const brought = await person.run(['login', 'far', '--token', '-'], { input: text });
  expect(brought).toMatchObject({ code: 0, stdout: '' });
  expect(await person.mcpmux(...CALL)).toMatchObject({ code: 0, stdout: 'hi\n' });
  expect(gate.asked.map((form) => form.get('grant_type'))).toEqual(['authorization_code', 'refresh_token']);

  const wrong = await person.run(['login', 'far', '--token', '-'], { input: 's3cret s3cret' });
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('neither a token nor a login') });
  expect(JSON.stringify(wrong)).not.toContain('s3cret');
  expect(await person.run(['login', 'far', '--token', '-'], { input: 'access-2\n' })).toMatchObject({
    code: 0,
  });
  expect(await person.mcpmux(...CALL)).toMatchObject({ code: 0, stdout: 'hi\n' });
  gate.expire();
  const spent = await person.mcpmux(...CALL);
  expect(spent).toMatchObject({ code: 4, stderr: expect.stringContaining('mcpmux login far') });
});
