import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it } from 'vitest';

import { CLI, cleanEnvironment, installedServer, NODE } from './testing/built-cli.js';

const EVERYTHING = { command: NODE, args: [installedServer('@modelcontextprotocol/server-everything')] };
const FILESYSTEM = { command: NODE, args: [installedServer('@modelcontextprotocol/server-filesystem')] };
const MODES = [{ pin: '2026-07-28' }, 'auto'] as const;

/** A client of the SDK on the built command. */
async function connect(
  mode: (typeof MODES)[number],
  options: ClientOptions = {},
  prepare: (client: Client) => void = () => undefined,
): Promise<Client> {
  const client = new Client({ name: 'e2e', version: '1' }, { ...options, versionNegotiation: { mode } });
  prepare(client);
  const args = [CLI, '--log-level', 'error'];
  await client.connect(
    new StdioClientTransport({ command: NODE, args, env: cleanEnvironment(), stderr: 'inherit' }),
  );
  return client;
}

function textOf(result: unknown): string {
  const { content } = result as { readonly content: readonly { readonly text?: string }[] };
  return content.map(({ text }) => text ?? '').join('\n');
}

describe.each(MODES)('a client of SDK 2.4.0 (%o) that negotiated 2026-07-28', (mode) => {
  it('uses server-everything (2025-11-25): listed, called, with progress', async () => {
    let changed = (): void => undefined;
    const reported = new Promise<void>((resolve) => {
      changed = resolve;
    });
    const client = await connect(mode, { listChanged: { tools: { onChanged: () => changed() } } });
    try {
      expect(client.getProtocolEra()).toBe('modern');
      expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
      const added = await client.callTool({
        name: 'add_server',
        arguments: { name: 'every', ...EVERYTHING },
      });
      expect(added).toMatchObject({ structuredContent: { status: 'running' } });
      await reported;
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toContain('every__echo');
      const echoed = await client.callTool({ name: 'every__echo', arguments: { message: 'hi' } });
      expect(textOf(echoed)).toBe('Echo: hi');
      const progress: number[] = [];
      await client.callTool(
        { name: 'every__trigger-long-running-operation', arguments: { duration: 1, steps: 2 } },
        { onprogress: (one) => void progress.push(one.progress) },
      );
      expect(progress[0]).toBe(1);
      const { resources } = await client.listResources();
      const [resource] = resources;
      const read = await client.readResource({ uri: resource?.uri ?? '' });
      expect(read.contents).toHaveLength(1);
      const { prompts } = await client.listPrompts();
      expect(prompts.map(({ name }) => name)).toContain('every__simple-prompt');
      await expect(client.getPrompt({ name: 'every__simple-prompt' })).resolves.toHaveProperty('messages');
    } finally {
      await client.close();
    }
  });

  it('answers what server-everything (2025-11-25) asks during a call', async () => {
    const asked: string[] = [];
    const client = await connect(
      mode,
      { capabilities: { elicitation: { form: {} }, sampling: {} } },
      (one) => {
        one.setRequestHandler('elicitation/create', ({ params }) => {
          asked.push(params.message);
          return { action: 'accept', content: { name: 'Ada', check: true } };
        });
        one.setRequestHandler('sampling/createMessage', () => ({
          role: 'assistant',
          model: 'none',
          content: { type: 'text', text: 'sampled' },
        }));
      },
    );
    try {
      await client.callTool({ name: 'add_server', arguments: { name: 'every', ...EVERYTHING } });
      const form = await client.callTool({ name: 'every__trigger-elicitation-request', arguments: {} });
      expect(textOf(form)).toContain('Ada');
      expect(asked).toEqual([expect.stringContaining('[every] ')]);
      const sampled = await client.callTool({
        name: 'every__trigger-sampling-request',
        arguments: { prompt: 'p', maxTokens: 9 },
      });
      expect(textOf(sampled)).toContain('sampled');
    } finally {
      await client.close();
    }
  });

  it('tells server-filesystem (2025-11-25), which asks right after its start, of its roots', async () => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'mcpmux-roots-')));
    const client = await connect(mode, { capabilities: { roots: {} } }, (one) => {
      one.setRequestHandler('roots/list', () => ({ roots: [{ uri: pathToFileURL(folder).href }] }));
    });
    try {
      await client.callTool({ name: 'add_server', arguments: { name: 'files', ...FILESYSTEM } });
      const allowed = (): Promise<string> =>
        client.callTool({ name: 'files__list_allowed_directories', arguments: {} }).then(textOf);
      await expect.poll(allowed).toContain(folder);
    } finally {
      await client.close();
      await rm(folder, { recursive: true });
    }
  });
});
