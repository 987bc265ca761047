import type { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it } from 'vitest';

import type { Program } from '../surface/wire.js';
import { cleanEnvironment } from '../testing/built-cli.js';
import { answeringClient } from '../testing/answering-client.js';
import type { Era } from '../testing/asking-client.js';
import { askingPlaces } from '../testing/asking-places.js';
import { hasPython, inPython } from './install-peers.js';

const PREFIX = 'v__';

/** Servers of both eras, their tools, and those with which they ask a modern client alone. */
const SERVERS = [
  ['mcp 2.3.0', inPython('mcp_asking.py'), ['ask', 'sample', 'ask_by_input'], ['ask_by_input']],
  ['FastMCP 4.0.11', inPython('fastmcp_asking.py'), ['ask'], []],
] as const;

/** The tools that got their answer from the client's user. */
async function answered(client: Client, tools: readonly string[], prefix = ''): Promise<readonly string[]> {
  const got: string[] = [];
  for (const tool of tools) {
    const text = await client.callTool({ name: prefix + tool }).then(JSON.stringify, String);
    if (text.includes('Ann')) got.push(tool);
  }
  return got;
}

async function answeredAlone(
  era: Era,
  { command, args, env }: Program,
  tools: readonly string[],
): Promise<readonly string[]> {
  const client = await answeringClient(
    era,
    new StdioClientTransport({ command, args: [...args], env: cleanEnvironment(env) }),
  );
  const got = await answered(client, tools);
  await client.close();
  return got;
}

const ORDERS: readonly (readonly [Era, Era])[] = [
  ['legacy', 'modern'],
  ['modern', 'legacy'],
];

describe.skipIf(!hasPython()).each(SERVERS)('a server of both eras on %s', (_, program, tools, inModern) => {
  const places = askingPlaces({ v: { ...program, mux: { shared: true } } });

  it.each(
    places.flatMap(([place, open]) => ORDERS.map(([first, second]) => [first, second, place, open] as const)),
  )('asks a %s client and then a %s one %s what it asks each alone', async (first, second, _place, open) => {
    const alone = {
      legacy: await answeredAlone('legacy', program, tools),
      modern: await answeredAlone('modern', program, tools),
    };
    expect(alone).toEqual({ legacy: tools, modern: inModern });
    await using place = await open();
    for (const era of [first, second, first]) {
      const client = await answeringClient(era, place.transport());
      await expect
        .poll(async () => (await client.listTools()).tools.map(({ name }) => name), { timeout: 20_000 })
        .toContain(PREFIX + tools[0]);
      const got = await answered(client, tools, PREFIX);
      expect(got).toEqual(expect.arrayContaining([...alone[era]]));
      await client.close();
    }
  });
});
