import type { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, it, vi } from 'vitest';

import { answeringClient } from './testing/answering-client.js';
import type { Era } from './testing/asking-client.js';
import { CLI, cleanEnvironment, NODE } from './testing/built-cli.js';
import { fixtureServer } from './testing/fixture-server.js';
import { SharedWindows } from './testing/shared-windows.js';

const TOOLS = ['ask', 'sample', 'ask_by_input'] as const;
const WAIT = { timeout: 15_000 };

/** A window whose client answers every question. */
async function window(shared: SharedWindows, era: Era): Promise<Client> {
  const args = [CLI, ...shared.args];
  const env = cleanEnvironment(shared.environment);
  const { folder: cwd } = shared;
  const transport = new StdioClientTransport({ command: NODE, args, env, cwd, stderr: 'inherit' });
  const client = await answeringClient(era, transport);
  await vi.waitUntil(async () => {
    const { tools } = await client.listTools();
    return tools.some(({ name }) => name === 'd__ask');
  }, WAIT);
  return client;
}

async function answersOf(client: Client): Promise<string> {
  const answers: string[] = [];
  for (const tool of TOOLS) answers.push(JSON.stringify(await client.callTool({ name: `d__${tool}` })));
  return answers.map((text) => (text.includes('Ann') ? 'asked' : 'not asked')).join();
}

it.each([
  ['earlier', 'modern', 'legacy', 'modern'],
  ['modern', 'earlier', 'modern', 'legacy'],
] as const)(
  'a server of both eras asks clients of an %s and of a %s era in shared windows, as it asks each alone',
  async (_first, _second, first, second) => {
    const servers = { d: { ...fixtureServer('dual-era'), mux: { shared: true } } };
    await using shared = await SharedWindows.open(servers);
    const one = await window(shared, first);
    const ofOne = await answersOf(one);
    const other = await window(shared, second);
    const ofOther = await answersOf(other);
    const [ofLegacy, ofModern] = first === 'legacy' ? [ofOne, ofOther] : [ofOther, ofOne];
    expect(ofLegacy).toBe('asked,asked,asked');
    // Alone, too, it cannot send requests in the modern era.
    expect(ofModern).toMatch(/,asked$/);
    expect(await shared.processes()).toHaveLength(1);
    await Promise.all([one.close(), other.close()]);
  },
);
