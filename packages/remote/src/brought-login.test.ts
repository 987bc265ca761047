import { expect, it } from 'vitest';

import { broughtLogin } from './brought-login.js';
import { readLogin } from './stored-login.js';

const URL_OF_SERVER = 'https://server.example/mcp';
const SAVED = {
  version: 1,
  authorizationServer: 'https://login.example',
  tokenEndpoint: 'https://login.example/token',
  resource: URL_OF_SERVER,
  client: { client_id: 'c' },
  tokens: { access_token: 's3cret', refresh_token: 'r' },
};

it('a token alone is a login that cannot be renewed', () => {
  const login = readLogin(broughtLogin(URL_OF_SERVER, ' s3cret.a~b+/x==\n'));
  expect(login?.tokens).toEqual({ access_token: 's3cret.a~b+/x==' });
  expect(login?.tokenEndpoint).toBe('https://server.example');
  expect(login?.resource).toBe(URL_OF_SERVER);
});

it('a saved login is taken as it is', () => {
  expect(broughtLogin(URL_OF_SERVER, JSON.stringify(SAVED))).toEqual(SAVED);
});

it('a saved login without a server belongs to the server that is its authorization server', () => {
  const { resource: _, ...others } = SAVED;
  const own = { ...others, authorizationServer: 'https://server.example' };
  expect(broughtLogin(URL_OF_SERVER, JSON.stringify(own))).toEqual({ ...own, resource: URL_OF_SERVER });
});

it.each([
  [JSON.stringify({ ...SAVED, resource: undefined }), 'the login is for another server'],
  ['', 'neither a token nor a login'],
  ['Bearer s3cret', 'neither a token nor a login'],
  ['s3cret\ns3cret', 'neither a token nor a login'],
  ['{"token":"s3cret"}', 'not a login that mcpmux has saved'],
  [JSON.stringify({ ...SAVED, resource: 'https://other.example/mcp' }), 'the login is for another server'],
])('other texts are refused without being repeated: %s', (text, message) => {
  expect(() => broughtLogin(URL_OF_SERVER, text)).toThrow(message);
  expect(() => broughtLogin(URL_OF_SERVER, text)).toThrow(/^(?![^]*s3cret)/);
});
