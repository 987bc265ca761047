import { AuthorizationServer, type AuthorizationServerOptions } from '@mcpmux/testing/authorization-server';
import { RemoteServer } from '@mcpmux/test-servers/remote-server';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { logIn, type DevicePrompt, type Login } from '../index.js';
import { MemoryLogins } from '../testing/logged-in.js';
import { MuxRig, textOf } from '../testing/mux-rig.js';

let far: RemoteServer;
beforeEach(async () => {
  far = await RemoteServer.open();
});
afterEach(() => far[Symbol.asyncDispose]());

/** Puts an authorization server before the server. */
async function guarded(options: AuthorizationServerOptions): Promise<AuthorizationServer> {
  const login = await AuthorizationServer.open(options);
  far.intercept = login.createGuard(far.url);
  return login;
}

function loggedIn(device: (prompt: DevicePrompt) => void): Promise<Login> {
  return logIn({
    url: far.url,
    redirectUrl: new URL('http://127.0.0.1:4711/callback'),
    device,
    authorize: () => Promise.reject(new Error('there is no browser')),
  });
}

it('a person allows the login on another device, and the server is used with its tokens', async () => {
  await using server = await guarded({ device: {} });
  const prompts: DevicePrompt[] = [];
  const login = await loggedIn((prompt) => {
    prompts.push(prompt);
    void server.answerLogin(prompt.code);
  });
  expect(prompts).toMatchObject([
    {
      code: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/),
      page: new URL('/device', server.issuer),
      lifeMs: 600_000,
    },
  ]);
  const logins = new MemoryLogins();
  await logins.save(far.url, login);
  await using rig = await MuxRig.open({}, {}, { logins });
  await rig.mux.addServer('far', { url: far.url, login: true });
  expect(textOf((await rig.client.call('far__echo', { message: 'hi' })).result)).toBe('hi');
  // The tokens can be renewed.
  server.issuedTokens.clear();
  expect(textOf((await rig.client.call('far__echo', { message: 'again' })).result)).toBe('again');
  expect(JSON.stringify(rig.logger.records)).not.toContain([...server.issuedTokens][0]);
});

it('a person who refuses ends the login', async () => {
  await using server = await guarded({ device: {} });
  await expect(loggedIn(({ code }) => void server.answerLogin(code, false))).rejects.toThrow(
    'the login was refused (access_denied)',
  );
});

it('a code that nobody enters expires', async () => {
  await using server = await guarded({ device: { lifetimeSeconds: 2 } });
  await expect(loggedIn(() => undefined)).rejects.toThrow('the code expired before anyone entered it');
  expect(server.pollTimes.length).toBeGreaterThan(0);
});

it('an authorization server that wants slower polls gets slower polls', async () => {
  await using server = await guarded({ device: { minPollIntervalMs: 1500 } });
  const login = loggedIn(({ code }) => {
    const answered = setInterval(() => {
      if (server.pollTimes.length < 2) return;
      clearInterval(answered);
      void server.answerLogin(code);
    }, 10);
  });
  expect(await login).toMatchObject({ tokens: { access_token: expect.any(String) } });
  const [first = 0, second = 0, third = 0] = server.pollTimes;
  expect(second - first).toBeLessThan(1500);
  expect(third - second).toBeGreaterThanOrEqual(5900);
}, 30_000);

it('without a device grant the login uses a browser', async () => {
  await using _ = await guarded({});
  await expect(loggedIn(() => undefined)).rejects.toThrow('there is no browser');
});
