import { expect, it } from 'vitest';

import { fixtureServer } from './testing/fixture-server.js';
import { Person } from './testing/person.js';
import { RawCli } from './testing/raw-cli.js';

/** The first two lists of a client of that name whose servers have never run before. */
async function firstLists(name: string, ...args: readonly string[]): Promise<readonly (readonly string[])[]> {
  await using person = await Person.arrive();
  await person.configure({ mcpServers: { one: fixtureServer('echo'), two: fixtureServer('crash') } });
  await using cli = new RawCli({ args, env: person.environment });
  await cli.request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name, version: '1' },
  });
  cli.write('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  const lists: (readonly string[])[] = [];
  for (let count = 0; count < 2; count += 1) {
    const { result } = await cli.request('tools/list');
    const tools = (result?.['tools'] ?? []) as readonly { readonly name: string }[];
    lists.push(tools.map((tool) => tool.name).filter((tool) => tool.includes('__')));
  }
  return lists;
}

const ALL = ['one__echo', 'one__slow_echo', 'two__crash'];

it.each(['codex-mcp-client', 'claude-code', 'qwen-code-mcp-client', 'Cline', 'some-client'])(
  'M1: %s, which may list its tools once, gets those of the servers of the config',
  async (name) => {
    await expect(firstLists(name)).resolves.toEqual([ALL, ALL]);
  },
);

it('with --no-wait-for-servers no client waits', async () => {
  await expect(firstLists('claude-code', '--no-wait-for-servers')).resolves.toEqual([[], []]);
  await expect(firstLists('codex-mcp-client', '--no-wait-for-servers')).resolves.toEqual([[], []]);
});
