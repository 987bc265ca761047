import process from 'node:process';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, it } from 'vitest';

import { Newcomer } from './testing/newcomer.js';
import { Person } from './testing/person.js';
import { hasTerminals } from './testing/terminal.js';

const HOUR_MS = 120_000;
const reason = hasTerminals ? '' : ' (skipped: no script of util-linux here to make a pseudo-terminal)';

interface Entry {
  readonly command: string;
  readonly args: string[];
}

/** Starts what a client finds in its file, as the client does. */
async function startClient(newcomer: Newcomer, file: string): Promise<Client> {
  const { mcpServers } = JSON.parse(await newcomer.person.read(file)) as {
    readonly mcpServers: { readonly mcpmux: Entry };
  };
  const { command, args } = mcpServers.mcpmux;
  const client = new Client({ name: 'cursor', version: '1' });
  const env = { ...newcomer.environment };
  await client.connect(
    new StdioClientTransport({ command, args, env, cwd: newcomer.person.home, stderr: 'ignore' }),
  );
  return client;
}

/** The process of a server, or 0 until it is there. */
async function pidOf(client: Client, server: string): Promise<number> {
  const { structuredContent } = await client.callTool({ name: 'list_servers', arguments: {} });
  const { servers } = structuredContent as { readonly servers: readonly { name: string; pid?: number }[] };
  return servers.find(({ name }) => name === server)?.pid ?? 0;
}

/** A person with two clients, one server in each. */
async function withTwoClients(person: Person): Promise<Newcomer> {
  const server = { command: 'mcpmux-echo', args: [] };
  await person.write('.cursor/mcp.json', { mcpServers: { echo: server } });
  const more = { command: 'mcpmux-echo', args: ['--again'] };
  await person.write('.config/Claude/claude_desktop_config.json', { mcpServers: { more } });
  return Newcomer.of(person);
}

it.skipIf(!hasTerminals)(
  `the first hour: whatever is suggested works, and only the start of servers takes time${reason}`,
  { timeout: HOUR_MS },
  async () => {
    await using person = await Person.arrive();
    const newcomer = await withTwoClients(person);

    expect((await newcomer.runs('mcpmux list')).stderr).toContain('Next: create one with: mcpmux init');
    const made = await newcomer.answers('mcpmux init', [
      ['into mcpmux? It runs them for all clients', '\r'],
      ['Write these 2 files? [y/N]', 'y\r'],
    ]);
    expect(made).toContain('Imported 2 servers');
    await newcomer.answers('mcpmux add third -- mcpmux-echo --third', []);
    expect((await newcomer.does('mcpmux list')).stdout).toMatch(/more[^]*echo[^]*third/);
    expect((await newcomer.does('mcpmux tools third', true)).stdout).toContain('echo(message: string)');
    expect(await newcomer.does('mcpmux call third.echo message=hi', true)).toMatchObject({ stdout: 'hi\n' });
    expect(await newcomer.does('mcpmux install cursor --yes')).toMatchObject({ code: 0 });

    const client = await startClient(newcomer, '.cursor/mcp.json');
    await client.listTools();
    await expect.poll(() => pidOf(client, 'echo')).toBeGreaterThan(0);
    process.kill(await pidOf(client, 'echo'), 'SIGKILL');
    await expect.poll(() => newcomer.runs('mcpmux list').then(({ stdout }) => stdout)).toMatch(/✖ +echo/);
    expect((await newcomer.does('mcpmux doctor echo', true)).stdout).toContain('Next: mcpmux reload echo');
    expect((await newcomer.does('mcpmux list')).stdout).toMatch(/● +echo/);
    expect(await newcomer.does('mcpmux logs echo')).toMatchObject({ code: 0 });
    const config = await person.read('.config/mcpmux/config.json');
    await person.configure('{ "mcpServers": {');
    const broken = await newcomer.does('mcpmux list');
    expect(broken.stdout).toMatch(/● +echo/);
    expect(broken.stderr).toContain('not valid JSON');
    await person.configure(config);
    expect(await newcomer.does('mcpmux remove third')).toMatchObject({ code: 0 });
    expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('third__echo');
    await client.close();

    expect(await newcomer.does('mcpmux uninstall --yes')).toMatchObject({ code: 0 });
    expect(await person.read('.cursor/mcp.json')).not.toContain('mcpmux');
    await newcomer.does('mcpmux doctor', true);
    await newcomer.does('mcpmux logs');
    const followed = ['list --check', 'tools third', 'reload echo', 'install --yes'];
    expect([...newcomer.followed]).toEqual(
      expect.arrayContaining(followed.map((words) => `mcpmux ${words}`)),
    );
    expect({ misled: newcomer.misled, slow: newcomer.slow }).toEqual({ misled: [], slow: [] });
  },
);
