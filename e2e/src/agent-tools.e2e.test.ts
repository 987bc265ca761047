import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { importStatement } from '@mcpmux/testing/importing';
import { fixturePath } from '@mcpmux/test-servers';
import { describe, expect, it } from 'vitest';

import { AGENTS } from './testing/agents.js';
import { NODE } from './testing/built-cli.js';
import { fixtureServer } from './testing/fixture-server.js';
import { serverIn } from './testing/server-list.js';

describe.each(AGENTS)('an agent on the %s whose host does not notice new tools', (_, connect) => {
  it('finds a tool by words and calls it by name', async () => {
    await using agent = await connect();
    await agent.call('add_server', { name: 'e', ...fixtureServer('echo-v2') });
    await agent.call('add_server', { name: 'c', ...fixtureServer('crash') });
    const found = await agent.call('search_tools', { query: 'reverse a message' });
    const [best] = found.structured['tools'] as { name: string }[];
    expect(best?.name).toBe('e__reverse');
    await expect(
      agent.call('call_tool', { name: 'e__reverse', arguments: { message: 'abc' } }),
    ).resolves.toMatchObject({ text: 'cba', isError: false });
  });

  it('is shown as much of a tool as it asks for', async () => {
    await using agent = await connect();
    await agent.call('add_server', { name: 'e', ...fixtureServer('echo') });
    const shown = async (detail: string): Promise<unknown> =>
      (await agent.call('search_tools', { query: 'slow', detail })).structured['tools'];
    await expect(shown('name')).resolves.toEqual([{ name: 'e__slow_echo' }]);
    await expect(shown('description')).resolves.toEqual([
      { name: 'e__slow_echo', description: expect.any(String) as string },
    ]);
    await expect(shown('definition')).resolves.toMatchObject([
      { name: 'e__slow_echo', inputSchema: { type: 'object', required: ['message', 'delay_ms'] } },
    ]);
  });

  it('gets the answers of the tool that it named, errors included', async () => {
    await using agent = await connect();
    await agent.call('add_server', { name: 'c', ...fixtureServer('crash') });
    await expect(agent.call('call_tool', { name: 'c__none' })).rejects.toMatchObject({ code: -32602 });
    const crashed = await agent.call('call_tool', { name: 'c__crash' });
    expect(crashed).toMatchObject({
      isError: true,
      text: expect.stringContaining('exited with code 1') as string,
    });
    await expect(agent.call('call_tool', { name: 'list_servers' })).resolves.toMatchObject({
      structured: { servers: [{ name: 'c', status: 'crashed' }] },
    });
  });

  it('M3: is told what a reload has added, removed and changed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mcpmux-diff-'));
    const program = join(folder, 'server.mjs');
    const version = async (name: 'echo' | 'echo-v2'): Promise<void> =>
      writeFile(program, importStatement(fixturePath(name)));
    try {
      await version('echo');
      await using agent = await connect();
      await agent.call('add_server', { name: 'live', command: NODE, args: [program] });
      await version('echo-v2');
      const forth = await agent.call('reload_server', { name: 'live' });
      expect(forth.structured['changes']).toMatchObject({ added: ['reverse'], removed: [] });
      await version('echo');
      const back = await agent.call('reload_server', { name: 'live' });
      expect(back.structured['changes']).toMatchObject({ added: [], removed: ['reverse'] });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('reads what happened to a server, also to one that never started', async () => {
    await using agent = await connect();
    await expect(
      agent.call('add_server', { name: 'bad', ...fixtureServer('exit-on-start') }),
    ).resolves.toMatchObject({ isError: true });
    const { structured } = await agent.call('server_logs', { name: 'bad' });
    const texts = (structured['entries'] as { kind: string; text: string }[]).map(
      ({ kind, text }) => `${kind}: ${text}`,
    );
    expect(texts[0]).toContain('event: server added');
    expect(texts.filter((text) => text.startsWith('stderr: '))).toHaveLength(2);
    expect(texts.join('\n')).toContain('exited with code 3');
    await expect(agent.call('server_logs', { name: 'nobody' })).resolves.toMatchObject({ isError: true });
  });

  it('A2, F13: loses only the tools of a server that no client would accept, and is told why at once', async () => {
    await using agent = await connect();
    const added = await agent.call('add_server', { name: 'i', ...fixtureServer('invalid-tools') });
    const usable = ['i__first', 'i__array_output', 'i__last'];
    expect(added.structured['tools']).toMatchObject(usable.map((name) => ({ name })));
    const names = (await agent.tools()).map(({ name }) => name).filter((name) => name.includes('__'));
    expect(names).toEqual(usable);
    const warnings = [
      'tool "no_schema" was left out: it has no inputSchema',
      'tool "text_schema" was left out: its inputSchema does not have the type "object"',
      'tool "array_output" was repaired: it is used without its outputSchema, since its outputSchema does not have the type ' +
        '"object"',
    ];
    expect(added.structured).toMatchObject({ warnings });
    const listed = serverIn(await agent.call('list_servers'), 'i');
    expect(listed).toMatchObject({ warnings });
  });
});
