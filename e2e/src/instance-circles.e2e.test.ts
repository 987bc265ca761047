import { describe, expect, it } from 'vitest';

import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

import { Lifeline } from '@mcpmux/test-servers';

import { CLI, NODE } from './testing/built-cli.js';
import { fixtureServer } from './testing/fixture-server.js';
import { HttpCli } from './testing/http-cli.js';
import { connectV1 } from './testing/http-clients.js';
import { Person } from './testing/person.js';
import { RawCli } from './testing/raw-cli.js';
import { textOf } from './testing/tool-response.js';

const GONE_MS = 10_000;
const LEVELS = 3;
const MUX = { command: NODE, args: [CLI, '--add-policy', 'allow'] };

/** Rounds of a circle that would go on: more tools than this only come of going round. */
const TOOLS = 50;

interface Listed {
  readonly instances: readonly { readonly instance_id: string; readonly pid: number }[];
}

async function muxOf(person: Person, lifeline: Lifeline, args: readonly string[] = []): Promise<RawCli> {
  const env = { ...person.environment, LIFELINE: lifeline.address };
  const cli = new RawCli({
    args: ['--log-level', 'debug', '--add-policy', 'allow', ...args],
    env,
    cwd: person.home,
  });
  await cli.initialize();
  await cli.until(() => cli.stderr.includes('commands can reach this mcpmux') || undefined);
  return cli;
}

async function instancesOf(cli: RawCli): Promise<Listed['instances']> {
  const { result } = await cli.call('list_instances');
  return (result?.['structuredContent'] as Listed | undefined)?.instances ?? [];
}

/** A port that was free just now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function toolsOf(cli: RawCli): Promise<readonly string[]> {
  const { result } = await cli.request('tools/list');
  const tools = result?.['tools'] as { name: string }[] | undefined;
  return (tools ?? []).map(({ name }) => name);
}

async function connect(from: RawCli, to: RawCli, name: string): Promise<void> {
  const instances = await instancesOf(from);
  const { instance_id } = instances.find(({ pid }) => pid === to.child.pid) ?? {};
  const { result } = await from.call('connect_instance', { instance_id, name });
  expect(result?.['isError']).not.toBe(true);
}

describe('mcpmux behind mcpmux', () => {
  it('H5: a config that holds the mcpmux that serves it starts one more for each entry, and no end of them', async () => {
    await using lifeline = await Lifeline.open();
    await using person = await Person.arrive();
    const other = { ...MUX, env: { A: 'b' }, mux: { env: 'none' } };
    await person.configure({ mcpServers: { self: MUX, other, e: fixtureServer('faulty') } });
    await using cli = await muxOf(person, lifeline);
    for (const name of ['self', 'other', 'e'])
      await cli.until(() => cli.stderr.includes(`[${name}] server running`) || undefined);
    expect(cli.stderr).toMatch(/\[self\] \S+ \[warn\] a mcpmux above this one serves the config/);
    await cli.call('add_server', { name: 'last', ...fixtureServer('faulty') });
    await lifeline.waitForAlive(2);
    expect((await toolsOf(cli)).length).toBeLessThan(2 * TOOLS);
  });

  it('H5: an agent that adds mcpmux behind mcpmux behind mcpmux gets so many, and their end takes all', async () => {
    await using lifeline = await Lifeline.open();
    await using person = await Person.arrive();
    await using cli = await muxOf(person, lifeline, ['--no-config']);
    let prefix = '';
    for (let level = 0; level < LEVELS; level += 1) {
      await expect.poll(() => toolsOf(cli)).toContain(`${prefix}add_server`);
      await cli.call(`${prefix}add_server`, { name: 'm', command: NODE, args: [...MUX.args, '--no-config'] });
      prefix += 'm__';
    }
    await expect.poll(() => toolsOf(cli)).toContain(`${prefix}add_server`);
    await cli.call(`${prefix}add_server`, { name: 'e', ...fixtureServer('faulty') });
    await lifeline.waitForAlive(1);
    await expect.poll(() => toolsOf(cli)).toContain(`${prefix}e__echo`);
    expect(textOf(await cli.call(`${prefix}e__echo`, { nonce: 'deep', n: 0 }))).toBe('deep');
    await expect.poll(async () => (await instancesOf(cli)).length).toBe(LEVELS);
    await cli.call('remove_server', { name: 'm' });
    await lifeline.waitForAllGone(GONE_MS);
    await expect.poll(async () => (await instancesOf(cli)).length, { timeout: GONE_MS }).toBe(0);
  });

  it('H5: two that are connected to each other list and call each other, and nothing goes in circles', async () => {
    await using lifeline = await Lifeline.open();
    await using person = await Person.arrive();
    await using a = await muxOf(person, lifeline, ['--no-config']);
    await using b = await muxOf(person, lifeline, ['--no-config']);
    await connect(a, b, 'b');
    await connect(b, a, 'a');
    for (const cli of [a, b]) await cli.call('add_server', { name: 'e', ...fixtureServer('echo') });
    for (const [cli, name] of [
      [a, 'b__e__echo'],
      [b, 'a__e__echo'],
    ] as const) {
      await expect.poll(() => toolsOf(cli)).toContain(name);
      expect(textOf(await cli.call(name, { message: 'round' }))).toBe('round');
      expect((await toolsOf(cli)).filter((tool) => tool.split('__').length > 3)).toEqual([]);
    }
    const toA = (await instancesOf(b)).find(({ pid }) => pid === a.child.pid)?.instance_id;
    await a.call('b__connect_instance', { instance_id: toA, name: 'round' });
    for (const cli of [a, b])
      expect((await toolsOf(cli)).filter((tool) => tool.split('__').length > 4)).toEqual([]);
  });

  it('H5: a config with the url of the mcpmux that serves it has a failed server, and the list ends', async () => {
    await using person = await Person.arrive();
    const port = await freePort();
    await person.configure({ mcpServers: { self: { url: `http://127.0.0.1:${port}/mcp` } } });
    const args = ['--config', person.config];
    await using cli = await HttpCli.open({ args, address: String(port), env: person.environment });
    await cli.until(() => cli.stderr.includes('leads back to the mcpmux that sends the request'));
    await using client = await connectV1(cli.url);
    expect((await client.tools()).filter((name) => name.includes('__'))).toEqual([]);
  });
});
