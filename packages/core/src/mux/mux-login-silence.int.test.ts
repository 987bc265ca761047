import type { ServerResponse } from 'node:http';

import { sdkLogin } from '@mcpmux/remote/logins';
import { ManualClock } from '@mcpmux/testing/manual-clock';
import type { RemoteRequest } from '@mcpmux/test-servers/remote-server';
import { expect, it } from 'vitest';

import { LOGIN_PROBE } from '../server/dialect/legacy/handshake.js';
import { GuardedServer, MemoryLogins, visited } from '../testing/logged-in.js';
import { MuxRig, textOf } from '../testing/mux-rig.js';

/** Stops answering what matches. `asked` resolves with the first such request. */
function silenced(
  { server }: GuardedServer,
  matches: (request: RemoteRequest) => boolean,
  begin: (response: ServerResponse) => void = () => undefined,
): Promise<void> {
  const { intercept } = server;
  return new Promise((asked) => {
    server.intercept = (request, response) => {
      if (!matches(request)) return intercept(request, response);
      begin(response);
      asked();
      return true;
    };
  });
}

const beginJson = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"jsonrpc":');
};

it.each([
  ['the opening of a session', ({ rpc }: RemoteRequest) => rpc === 'initialize', undefined],
  ['the end of the first answer', ({ rpc }: RemoteRequest) => rpc === 'initialize', beginJson],
  ['a message of the session', ({ rpc }: RemoteRequest) => rpc === 'tools/list', undefined],
  ['its metadata', ({ path }: RemoteRequest) => path.includes('oauth-authorization-server'), undefined],
  ['the end of its metadata', ({ path }: RemoteRequest) => path.includes('authorization-server'), beginJson],
  ['a registration', ({ path }: RemoteRequest) => path === '/register', undefined],
  ['the request of a token', ({ path }: RemoteRequest) => path === '/token', undefined],
] as const)('I18: a login ends when the server owes %s for 30 seconds', async (_title, matches, begin) => {
  const isOpen = matches({ rpc: 'tools/list', path: '/mcp' } as RemoteRequest);
  await using far = await GuardedServer.open(
    isOpen ? { openMethods: ['initialize', 'notifications/initialized'] } : {},
  );
  const clock = new ManualClock();
  const asked = silenced(far, matches, begin);
  const init = {
    url: far.url,
    redirectUrl: new URL('http://127.0.0.1:4711/callback'),
    authorize: (page: URL) => visited(page),
  };
  const login = sdkLogin(init, LOGIN_PROBE, { clock });
  await asked;
  clock.advance(30_000);
  await expect(login).rejects.toThrow(/has not answered within 30 seconds/);
});

it('I18: a token that is not renewed within 30 seconds fails the call, and the next call tries again', async () => {
  await using far = await GuardedServer.open();
  const logins = new MemoryLogins();
  await logins.save(far.url, await far.logIn());
  const clock = new ManualClock();
  await using rig = await MuxRig.open({}, {}, { logins, clock });
  await rig.mux.addServer('far', { url: far.url, login: true });
  far.gate.expire();
  const { intercept } = far.server;
  const asked = silenced(far, ({ path }) => path === '/token');
  const call = rig.client.call('far__echo', { message: 'x' });
  await asked;
  clock.advance(30_000);
  expect(textOf((await call).result)).toMatch(/has not answered within 30 seconds/);
  far.server.intercept = intercept;
  expect(textOf((await rig.client.call('far__echo', { message: 'y' })).result)).toBe('y');
});
