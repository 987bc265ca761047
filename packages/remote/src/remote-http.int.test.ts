import { RemoteServer } from '@mcpmux/test-servers/remote-server';
import { expect, it } from 'vitest';

import { AuthorizationReach } from './authorization-reach.js';
import type { LookupAll } from './public-lookup.js';
import { RemoteHttp } from './remote-http.js';

const BODY = { maxMessageBytes: 1000, whenReadable: () => Promise.resolve() };
const PUBLIC = '1.1.1.1';

/** Everything is on this machine. */
const here: LookupAll = (_host, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]);

interface Named {
  readonly problem: string;
  readonly requests: number;
}

/** Follows a server, whose answers came from these addresses as well, to what it names: a second port. */
async function follow(host: string, ...from: readonly string[]): Promise<Named> {
  await using server = await RemoteServer.open();
  await using named = await RemoteServer.open();
  const reach = new AuthorizationReach();
  for (const address of from) reach.note(address);
  const http = new RemoteHttp(new URL(server.url), BODY, { reach, lookUp: here });
  try {
    const answer = http.fetchNamedUrl(`http://${host}:${named.port}/.well-known/oauth-authorization-server`);
    const problem = await answer.then(
      () => 'none',
      (error: unknown) => String(error),
    );
    return { problem, requests: named.requests.length };
  } finally {
    http.destroy();
  }
}

it.each(['127.0.0.1', 'localhost', 'as.example'])(
  'I17: a server of this machine may have its authorization server there, at %s',
  async (host) => {
    expect(await follow(host)).toEqual({ problem: 'none', requests: 1 });
  },
);

it.each(['127.0.0.1', 'localhost', 'as.example'])(
  'I17: a server of the public internet may not have it at %s, an address of this machine',
  async (host) => {
    const { problem, requests } = await follow(host, PUBLIC);
    expect(problem).toContain('an address of this machine or a private network');
    expect(requests).toBe(0);
  },
);

it('I17: the addresses of every name decide for what is named after it', () => {
  const reach = new AuthorizationReach();
  expect(['10.0.0.1', '127.0.0.1', '::1', 'fd00::1'].map((address) => reach.allows(address))).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(['169.254.169.254', 'fe80::1', '::ffff:169.254.1.1'].some((address) => reach.allows(address))).toBe(
    false,
  );
  reach.note('10.0.0.1');
  expect(reach.allows('127.0.0.1')).toBe(true);
  reach.note(PUBLIC);
  expect([PUBLIC, '10.0.0.1', '127.0.0.1'].map((address) => reach.allows(address))).toEqual([
    true,
    false,
    false,
  ]);
});

it('I17: a server counts as one of the public internet when any address of its name is', async () => {
  await using named = await RemoteServer.open();
  const lookUp: LookupAll = (_host, _options, callback) =>
    callback(
      null,
      [PUBLIC, '127.0.0.1'].map((address) => ({ address, family: 4 })),
    );
  // Such a name is looked up, and not connected to.
  const http = new RemoteHttp(new URL('http://far.example/mcp'), BODY, { publicOnly: true, lookUp });
  await expect(http.fetch('http://far.example/mcp')).rejects.toThrow('far.example resolves to an address');
  await expect(http.fetchNamedUrl(named.url)).rejects.toThrow('private network');
  expect(named.requests).toEqual([]);
  http.destroy();
});
