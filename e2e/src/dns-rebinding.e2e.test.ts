import type { ServerResponse } from 'node:http';

import { RemoteServer } from '@mcpmux/test-servers/remote-server';
import { expect, it } from 'vitest';

import { HttpCli } from './testing/http-cli.js';
import { Person } from './testing/person.js';
import { RawCli } from './testing/raw-cli.js';

const HOST = 'rebind.example';
/** Nothing is sent there: a server counts as one of the public internet because its name has this address as well. */
const PUBLIC = '1.1.1.1';
const HERE = '127.0.0.1';

/**
 * Flags that put another resolver for names of examples into the built command. It answers with one list of addresses
 * after the other, the last for ever, and says on stderr how often it was asked.
 */
function resolver(...answers: readonly (readonly string[])[]): readonly string[] {
  const program = `
    import dns from 'node:dns';
    import { syncBuiltinESMExports } from 'node:module';
    const answers = ${JSON.stringify(answers)};
    const { lookup } = dns;
    let count = 0;
    dns.lookup = (host, options, callback) => {
      if (!host.endsWith('.example')) return lookup(host, options, callback);
      const found = answers[Math.min(count, answers.length - 1)];
      count += 1;
      process.stderr.write('looked up ' + host + ' ' + found + '\\n');
      const addresses = found.map((address) => ({ address, family: 4 }));
      setImmediate(() => options.all ? callback(null, addresses) : callback(null, found[0], 4));
    };
    syncBuiltinESMExports();`;
  return ['--import', `data:text/javascript,${encodeURIComponent(program)}`];
}

function lookups({ stderr }: RawCli): readonly string[] {
  return [...stderr.matchAll(/^looked up (.*)$/gm)].map(([, found = '']) => found);
}

async function serving(policy: string, answers: readonly (readonly string[])[]): Promise<RawCli> {
  const args = ['serve', '--no-config', '--log-level', 'debug', '--add-policy', policy];
  const cli = new RawCli({ args, nodeFlags: resolver(...answers) });
  await cli.request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: { elicitation: {} },
    clientInfo: { name: 'raw', version: '1' },
  });
  cli.write('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  return cli;
}

/** Adds a server at a url. The user accepts whatever is asked. */
async function add(cli: RawCli, url: string): Promise<string> {
  const added = cli.call('add_server', { name: 'far', url });
  const asked = cli.until(() => cli.messages.find(({ method }) => method === 'elicitation/create'));
  const first = await Promise.race([added, asked]);
  if (first.method !== undefined)
    cli.write(JSON.stringify({ jsonrpc: '2.0', id: first.id, result: { action: 'accept', content: {} } }));
  return JSON.stringify(await added);
}

it.each([
  ['of this machine', [[HERE]]],
  ['of the public internet and one of this machine', [[PUBLIC, HERE]]],
  ['of the cloud around it', [['169.254.169.254']]],
])('I17: a name that a user has accepted and that has an address %s is asked nothing', async (_, answers) => {
  await using server = await RemoteServer.open();
  await using cli = await serving('ask', answers);
  const text = await add(cli, `http://${HOST}:${server.port}/mcp`);
  expect(text).toContain(`${HOST} resolves to an address of this machine or a private network`);
  expect(server.requests).toEqual([]);
  // Each attempt looks once, and connects to what it has looked at.
  expect(new Set(lookups(cli))).toEqual(new Set([`${HOST} ${answers.flat().join(',')}`]));
});

function redirect(response: ServerResponse, status: number, location: string): true {
  response.writeHead(status, { location }).end();
  return true;
}

it.each([301, 302, 303, 307, 308])('I17: a redirect with %i leads nowhere', async (status) => {
  await using server = await RemoteServer.open();
  await using target = await RemoteServer.open();
  await using cli = await serving('allow', [[HERE]]);
  server.intercept = (_, response) => redirect(response, status, target.url);
  const text = await add(cli, `http://${HOST}:${server.port}/mcp`);
  expect(text).toContain('"isError":true');
  expect(server.requests.length).toBeGreaterThan(0);
  expect(target.requests).toEqual([]);
});

/** The server sends whoever has no token to what its metadata name. */
function demandLogin(server: RemoteServer, metadata: string): void {
  server.intercept = (_, response) => {
    const challenge = `Bearer resource_metadata="${metadata}"`;
    response.writeHead(401, { 'www-authenticate': challenge }).end();
    return true;
  };
}

/** What a login at a server, whose name has these addresses, asks of the host that its metadata are at. */
async function askedOf(host: string, addresses: readonly string[]): Promise<number> {
  await using server = await RemoteServer.open();
  await using target = await RemoteServer.open();
  await using person = await Person.arrive();
  demandLogin(server, `http://${host}:${target.port}/.well-known/oauth-protected-resource`);
  await person.configure({ mcpServers: { far: { url: `http://${HOST}:${server.port}/mcp` } } });
  const NODE_OPTIONS = resolver(addresses, [HERE]).join(' ');
  const { code } = await person.run(['login', 'far'], { env: { NODE_OPTIONS } });
  expect(code).not.toBe(0);
  expect(server.requests.length).toBeGreaterThan(0);
  return target.requests.length;
}

it.each([HERE, 'localhost', 'later.example'])(
  'I17: metadata at %s, which leads to this machine, are fetched for a server there, and not for one of the public internet',
  async (host) => {
    expect(await askedOf(host, [HERE])).toBeGreaterThan(0);
    expect(await askedOf(host, [HERE, PUBLIC])).toBe(0);
  },
);

it('I2: the front answers no page whose name leads to it', async () => {
  await using cli = await HttpCli.open();
  const { port } = cli.url;
  for (const path of ['/mcp', '/healthz', '/metrics', '/readyz', '/.well-known/oauth-protected-resource']) {
    for (const host of [
      HOST,
      `${HOST}:${port}`,
      `127.0.0.1.${HOST}:${port}`,
      `localhost.:${port}`,
      `[::ffff:7f00:1]:${port}`,
      `127.1:${port}`,
      '0.0.0.0',
    ]) {
      const { status, text } = await cli.send({ path, headers: { host } });
      expect([path, host, status >= 400 && status < 404, text.includes('mcpmux_')]).toEqual([
        path,
        host,
        true,
        false,
      ]);
    }
  }
});
