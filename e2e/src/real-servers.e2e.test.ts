import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, it } from 'vitest';

import { AGENTS, type ListedTool } from './testing/agents.js';
import { cleanEnvironment, installedServer, NODE } from './testing/built-cli.js';
import { everythingAtUrl } from './testing/everything-at-url.js';

const EVERYTHING = { command: NODE, args: [installedServer('@modelcontextprotocol/server-everything')] };

function filesystem(folder: string): { command: string; args: string[] } {
  return { command: NODE, args: [installedServer('@modelcontextprotocol/server-filesystem'), folder] };
}

/** What the server lists to a client of its own that declares what mcpmux declares. */
async function listDirectly(server: { command: string; args: string[] }): Promise<readonly ListedTool[]> {
  const client = new Client({ name: 'direct', version: '1' });
  await client.connect(new StdioClientTransport({ ...server, env: cleanEnvironment(), stderr: 'ignore' }));
  try {
    return (await client.listTools()).tools;
  } finally {
    await client.close();
  }
}

function withPrefix(server: string, tools: readonly ListedTool[]): readonly ListedTool[] {
  return tools.map((tool) => ({ ...tool, name: `${server}__${tool.name}` }));
}

describe.each(AGENTS)('an agent on the %s', (_, connect) => {
  it('M12: works with server-everything: added, listed, called, reloaded, removed', async () => {
    await using agent = await connect();
    const added = await agent.call('add_server', { name: 'every', ...EVERYTHING });
    expect(added).toMatchObject({ isError: false, structured: { status: 'running' } });
    await expect(agent.call('every__echo', { message: 'hi' })).resolves.toMatchObject({ text: 'Echo: hi' });
    await expect(agent.call('every__get-sum', { a: 2, b: 3 })).resolves.toMatchObject({
      text: expect.stringContaining('5') as string,
    });
    const image = await agent.call('every__get-tiny-image');
    expect(image.content).toContainEqual(expect.objectContaining({ type: 'image', mimeType: 'image/png' }));
    await expect(agent.call('every__get-structured-content', { location: 'Chicago' })).resolves.toMatchObject(
      {
        structured: { conditions: expect.any(String) as string },
      },
    );
    await expect(agent.call('reload_server', { name: 'every' })).resolves.toMatchObject({ isError: false });
    await expect(agent.call('every__echo', { message: 'again' })).resolves.toMatchObject({
      text: 'Echo: again',
    });
    await expect(agent.call('remove_server', { name: 'every' })).resolves.toMatchObject({ isError: false });
    await expect(agent.call('every__echo', { message: 'hi' })).rejects.toMatchObject({ code: -32602 });
  });

  it.each(['streamableHttp', 'sse'] as const)(
    'S13: works with server-everything at a url over %s',
    async (transport) => {
      await using server = await everythingAtUrl(transport);
      await using agent = await connect();
      const added = await agent.call('add_server', { name: 'every', url: server.url });
      expect(added).toMatchObject({ isError: false, structured: { status: 'running' } });
      await expect(agent.call('every__echo', { message: 'hi' })).resolves.toMatchObject({ text: 'Echo: hi' });
      const image = await agent.call('every__get-tiny-image');
      expect(image.content).toContainEqual(expect.objectContaining({ type: 'image', mimeType: 'image/png' }));
      await expect(agent.call('reload_server', { name: 'every' })).resolves.toMatchObject({ isError: false });
      const progress: number[] = [];
      const onProgress = (reported: { readonly progress: number }): void =>
        void progress.push(reported.progress);
      // Half a second from one to the next: the SDKs lose what comes in one chunk with the response, as all of it does
      // to a client that the machine has let wait for longer.
      const long = agent.call(
        'every__trigger-long-running-operation',
        { duration: 1, steps: 2 },
        { onProgress },
      );
      await expect(long).resolves.toMatchObject({ isError: false });
      expect(progress[0]).toBe(1);
      await agent.call('remove_server', { name: 'every' });
      await expect(agent.call('every__echo', { message: 'hi' })).rejects.toMatchObject({ code: -32602 });
    },
  );

  it('passes the progress of a long call on, in order and complete', async () => {
    await using agent = await connect();
    await agent.call('add_server', { name: 'every', ...EVERYTHING });
    const seen: number[] = [];
    const answer = await agent.call(
      'every__trigger-long-running-operation',
      { duration: 2, steps: 4 },
      { onProgress: ({ progress }) => seen.push(progress) },
    );
    expect(answer.text).toContain('completed');
    // The SDKs lose what comes in one chunk with the response, so the last may be missing; none may be out of order.
    expect(seen).toEqual([1, 2, 3, 4].slice(0, seen.length));
    expect(seen.length).toBeGreaterThanOrEqual(3);
  });

  it('works with server-filesystem beside it: writes, reads and lists files', async () => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'mcpmux-files-')));
    try {
      await using agent = await connect();
      await Promise.all([
        agent.call('add_server', { name: 'every', ...EVERYTHING }),
        agent.call('add_server', { name: 'files', ...filesystem(folder) }),
      ]);
      const path = join(folder, 'note.txt');
      await agent.call('files__write_file', { path, content: 'written through mcpmux' });
      await expect(readFile(path, 'utf8')).resolves.toBe('written through mcpmux');
      await expect(agent.call('files__read_text_file', { path })).resolves.toMatchObject({
        text: 'written through mcpmux',
      });
      await expect(agent.call('files__list_directory', { path: folder })).resolves.toMatchObject({
        text: '[FILE] note.txt',
      });
      await expect(agent.call('files__read_text_file', { path: '/etc/passwd' })).resolves.toMatchObject({
        isError: true,
      });
      await agent.call('remove_server', { name: 'files' });
      const left = (await agent.tools()).map((tool) => tool.name);
      expect(left.filter((name) => name.startsWith('files__'))).toEqual([]);
      expect(left).toContain('every__echo');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('M5: lists the tools of real servers as they list them themselves, but for the name', async () => {
    await using agent = await connect();
    await agent.call('add_server', { name: 'every', ...EVERYTHING });
    await agent.call('add_server', { name: 'files', ...filesystem(tmpdir()) });
    const through = (await agent.tools()).filter((tool) => tool.name.includes('__'));
    expect(through).toEqual([
      ...withPrefix('every', await listDirectly(EVERYTHING)),
      ...withPrefix('files', await listDirectly(filesystem(tmpdir()))),
    ]);
  });
});
