import { describe, expect, it } from 'vitest';

import { ManualClock } from '@mcpmux/testing/manual-clock';
import type { Login, LoginStore } from './login-store.js';
import { SessionTokens } from './sdk-session-tokens.js';

const URL_OF_SERVER = 'https://server.example/mcp';
const LOGIN = {
  version: 1,
  authorizationServer: 'https://login.example',
  tokenEndpoint: 'https://login.example/token',
  client: { client_id: 'c' },
  tokens: { access_token: 'first' },
};

const FROM = { advice: 'Log in.', clock: new ManualClock(), warn: () => undefined };

/** A store in which another process saves a login just after a load. */
class OtherProcess implements LoginStore {
  /** What the other process saves after the next load. */
  next: Login | undefined;

  constructor(public login: Login) {}

  load(): Promise<Login> {
    const { login } = this;
    this.login = this.next ?? login;
    return Promise.resolve(login);
  }

  save(_url: string, login: Login): Promise<void> {
    this.login = login;
    return Promise.resolve();
  }

  change(_url: string, edit: (login: Login) => Login): Promise<void> {
    this.login = edit(this.login);
    return Promise.resolve();
  }
}

function lackingScope(): Response {
  const headers = { 'www-authenticate': 'Bearer error="insufficient_scope", scope="write"' };
  return new Response(null, { status: 403, headers });
}

it('calls that are refused for a scope one after the other are all told that a login helps', async () => {
  const store = new OtherProcess(LOGIN);
  const tokens = new SessionTokens(URL_OF_SERVER, { ...FROM, store }, fetch);
  await tokens.token();
  for (let call = 0; call < 2; call += 1)
    await expect(
      tokens.refused({ response: lackingScope(), token: 'first', isAgain: false }),
    ).rejects.toThrow('needs a login: this needs the scope "write"');
});

describe('a login that another process saves meanwhile', () => {
  const RENEWABLE = { ...LOGIN, tokens: { access_token: 'first', refresh_token: 'r1' } };
  const refresh = (): Promise<Response> =>
    Promise.resolve(Response.json({ access_token: 'second', refresh_token: 'r2', token_type: 'Bearer' }));
  const unauthorized = { response: new Response(null, { status: 401 }), token: 'first', isAgain: false };

  it('keeps its renewed token beside the scopes that the next login asks for', async () => {
    const store = new OtherProcess(LOGIN);
    const tokens = new SessionTokens(URL_OF_SERVER, { ...FROM, store }, fetch);
    await tokens.token();
    const renewed = { ...LOGIN, tokens: { access_token: 'renewed' } };
    store.next = renewed;
    const refusal = { response: lackingScope(), token: 'first', isAgain: false };
    await expect(tokens.refused(refusal)).rejects.toThrow('needs a login');
    expect(store.login).toEqual(renewed);
  });

  it('keeps the scopes that the next login asks for when its token is renewed', async () => {
    const store = new OtherProcess(RENEWABLE);
    const tokens = new SessionTokens(URL_OF_SERVER, { ...FROM, store }, refresh);
    await tokens.token();
    store.next = { ...RENEWABLE, wanted: 'write' };
    await tokens.refused(unauthorized);
    expect(store.login).toMatchObject({ wanted: 'write', tokens: { refresh_token: 'r2' } });
  });

  it('stays when it is a new one, though a token of the one before was renewed', async () => {
    const store = new OtherProcess(RENEWABLE);
    const tokens = new SessionTokens(URL_OF_SERVER, { ...FROM, store }, refresh);
    await tokens.token();
    const anew = { ...LOGIN, tokens: { access_token: 'anew', refresh_token: 'a1' } };
    store.next = anew;
    await tokens.refused(unauthorized);
    expect(store.login).toEqual(anew);
    await expect(tokens.token()).resolves.toBe('second');
  });
});
