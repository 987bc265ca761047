import { expect, it } from 'vitest';

import { SessionTokens } from './sdk-session-tokens.js';

const URL_OF_SERVER = 'https://server.example/mcp';
const LOGIN = {
  version: 1,
  authorizationServer: 'https://login.example',
  tokenEndpoint: 'https://login.example/token',
  client: { client_id: 'c' },
  tokens: { access_token: 'first' },
};

function lackingScope(): Response {
  const headers = { 'www-authenticate': 'Bearer error="insufficient_scope", scope="write"' };
  return new Response(null, { status: 403, headers });
}

it('calls that are refused for a scope one after the other are all told that a login helps', async () => {
  const store = { load: () => Promise.resolve(LOGIN), save: () => Promise.resolve() };
  const tokens = new SessionTokens(URL_OF_SERVER, { store, advice: 'Log in.' }, fetch);
  await tokens.token();
  for (let call = 0; call < 2; call += 1)
    await expect(
      tokens.refused({ response: lackingScope(), token: 'first', isAgain: false }),
    ).rejects.toThrow('needs a login: this needs the scope "write"');
});
