import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { installedServer, NODE } from './testing/built-cli.js';
import { commandOutput } from './testing/command-output.js';

interface Cost {
  readonly name: string;
  readonly tokens: { readonly all: number };
}

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mcpmux-costs-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('tools --cost estimates the tokens of real definitions within 15 percent of a tokenizer', async () => {
  const [everything, filesystem] = ['everything', 'filesystem'].map((name) =>
    installedServer(`@modelcontextprotocol/server-${name}`),
  );
  const mcpServers = {
    everything: { command: NODE, args: [everything, 'stdio'] },
    filesystem: { command: NODE, args: [filesystem, folder] },
  };
  const file = join(folder, 'mcpmux.json');
  await writeFile(file, JSON.stringify({ mcpServers }));
  const output = (...flags: readonly string[]): Promise<string> =>
    commandOutput(['tools', '--config', file, '--json', ...flags], { XDG_STATE_HOME: folder, HOME: folder });
  const defined = JSON.parse(await output()) as readonly Readonly<Record<string, unknown>>[];
  const { tools } = JSON.parse(await output('--cost')) as { readonly tools: readonly Cost[] };
  const estimated = new Map(tools.map(({ name, tokens }) => [name, tokens.all]));
  const errors = defined.map((tool) => {
    // The command adds these two members to a definition.
    const definition = Object.entries(tool).filter(([key]) => key !== 'server' && key !== 'original_name');
    const counted = countTokens(JSON.stringify(Object.fromEntries(definition)));
    const name = String(tool['name']);
    return { name, error: Math.abs((estimated.get(name) ?? 0) / counted - 1) };
  });
  expect(errors.length).toBeGreaterThan(20);
  expect(errors.filter(({ error }) => error > 0.15)).toEqual([]);
});
