import { parseServerName } from '@mcpmux/namespace';
import { describe, expect, it, vi } from 'vitest';

import { FakeSpawner, type FakeRequest } from '../testing/fake-server.js';
import { OwnToolsRig } from '../testing/own-tools-rig.js';
import { SHARED } from '../testing/stand-in-registry.js';

const NODE = process.execPath;

function rigOf(): OwnToolsRig {
  return new OwnToolsRig(
    new FakeSpawner(({ args: [how] }) => ({
      tools: ['say', 'shout'],
      ...(how === 'mute' && { intercept: () => undefined }),
      ...(how === 'fail' && { intercept: (_: unknown, __: unknown, server) => server.exit(3) }),
    })),
  );
}

describe('search_tools', () => {
  it('finds the tools of servers that were just added', async () => {
    await using rig = rigOf();
    await rig.result('add_server', { name: 'a', command: NODE });
    const { structuredContent } = await rig.result('search_tools', { query: 'say' });
    expect(structuredContent).toEqual({ tools: [{ name: 'a__say', description: '' }], total: 1 });
    await rig.result('remove_server', { name: 'a' });
    const gone = await rig.result('search_tools', { query: 'say' });
    expect(gone.structuredContent).toEqual({ tools: [], total: 0 });
  });

  it('names the servers whose tools are not known yet', async () => {
    await using rig = rigOf();
    await rig.result('add_server', { name: 'a', command: NODE });
    const added = rig.result('add_server', { name: 'slow', command: NODE, args: ['mute'] });
    const early = await rig.result('search_tools', { query: 'say', detail: 'name' });
    expect(early.structuredContent).toEqual({ tools: [{ name: 'a__say' }], total: 1, starting: ['slow'] });
    const ofOther = await rig.result('search_tools', { query: 'say', detail: 'name', server: 'a' });
    expect(ofOther.structuredContent).not.toHaveProperty('starting');
    rig.clock.advance(50_000);
    await added;
    await rig.result('remove_server', { name: 'slow' });
    const late = await rig.result('search_tools', { query: 'say', detail: 'name' });
    expect(late.structuredContent).toEqual({ tools: [{ name: 'a__say' }], total: 1 });
  });

  it('says so when it is asked for a server that nobody knows', async () => {
    await using rig = rigOf();
    const { isError, content } = await rig.result('search_tools', { query: 'x', server: 'nobody' });
    expect([isError, content[0]?.text]).toEqual([true, expect.stringContaining('nobody')]);
  });

  it.each([
    {},
    { query: '' },
    { query: 'x', limit: 0 },
    { query: 'x', limit: 101 },
    { query: 'x', detail: 'all' },
  ])('refuses arguments that its schema refuses: %j', async (args) => {
    await using rig = rigOf();
    const { isError, content } = await rig.result('search_tools', args);
    expect([isError, content[0]?.text]).toEqual([true, expect.stringContaining('Invalid arguments')]);
  });
});

describe('server_logs', () => {
  it('M11: shows the last of what happened to a server, and how long ago', async () => {
    await using rig = rigOf();
    await rig.result('add_server', { name: 'a', command: NODE });
    rig.journal.record({ name: parseServerName('a'), layer: SHARED }, 'stderr', 'one');
    rig.clock.advance(1260);
    rig.journal.record({ name: parseServerName('a'), layer: SHARED }, 'stderr', 'two');
    const { structuredContent } = await rig.result('server_logs', { name: 'a', lines: 2 });
    expect(structuredContent).toEqual({
      name: 'a',
      entries: [
        { kind: 'stderr', text: 'one', seconds_ago: 1.3 },
        { kind: 'stderr', text: 'two', seconds_ago: 0 },
      ],
    });
  });

  it('M11: shows 50 lines unless it is told how many', async () => {
    await using rig = rigOf();
    for (let line = 0; line < 60; line += 1)
      rig.journal.record({ name: parseServerName('a'), layer: SHARED }, 'stderr', String(line));
    const { structuredContent } = await rig.result('server_logs', { name: 'a' });
    expect((structuredContent as { readonly entries: readonly unknown[] }).entries).toHaveLength(50);
  });

  it('M11: shows the beginning and the end of what came since the last start, and how much it leaves out', async () => {
    await using rig = rigOf();
    const record = (kind: 'event' | 'stderr' | 'stdout', text: string): void =>
      rig.journal.record({ name: parseServerName('a'), layer: SHARED }, kind, text);
    for (let line = 0; line < 30; line += 1) record('stderr', `earlier ${line}`);
    record('event', 'server starting');
    record('stdout', 'flag provided but not defined: -nope');
    for (let line = 0; line < 60; line += 1) record('stderr', `usage ${line}`);
    const { structuredContent } = await rig.result('server_logs', { name: 'a' });
    const { entries } = structuredContent as { readonly entries: readonly Record<string, unknown>[] };
    expect(entries).toHaveLength(50);
    expect(entries[0]).toMatchObject({ text: 'server starting', left_out_before: 30 });
    expect(entries[1]).toEqual({
      kind: 'stdout',
      text: 'flag provided but not defined: -nope',
      seconds_ago: 0,
    });
    expect(entries[20]).toMatchObject({ text: 'usage 30', left_out_before: 12 });
    expect(entries.at(-1)).toMatchObject({ text: 'usage 59' });
  });

  it('M11: also of a server that was removed or never started', async () => {
    await using rig = rigOf();
    rig.journal.record({ name: parseServerName('gone'), layer: SHARED }, 'event', 'server removed');
    const { structuredContent } = await rig.result('server_logs', { name: 'gone' });
    expect(structuredContent).toMatchObject({ entries: [{ kind: 'event', text: 'server removed' }] });
  });

  it('M11: of a name that nobody ever had says so', async () => {
    await using rig = rigOf();
    const { isError, content } = await rig.result('server_logs', { name: 'nobody' });
    expect([isError, content[0]?.text]).toEqual([true, expect.stringContaining('nobody')]);
  });
});

describe('reload_server', () => {
  it('M3: says how the tools differ from those before', async () => {
    const runs = [
      ['same', 'gone'],
      ['same', 'new'],
      ['same', 'new'],
    ];
    let run = -1;
    const spawner = new FakeSpawner(() => {
      run += 1;
      const schema = { type: 'object', ...(run > 0 && { required: ['x'] }) };
      const tools = (runs[run] ?? []).map((name) => ({ name, inputSchema: schema }));
      return {
        intercept: (request: FakeRequest, proceed, server) =>
          request.method === 'tools/list' ? server.answer(request, { tools }) : proceed(),
      };
    });
    await using rig = new OwnToolsRig(spawner);
    const added = await rig.result('add_server', { name: 'a', command: NODE });
    expect(added.structuredContent).not.toHaveProperty('changes');
    const changes = async (): Promise<unknown> => {
      const { structuredContent } = await rig.result('reload_server', { name: 'a' });
      return (structuredContent as { readonly changes?: unknown }).changes;
    };
    await expect(changes()).resolves.toEqual({ added: ['new'], removed: ['gone'], changed: ['same'] });
    const listed = await rig.result('list_servers');
    expect(listed.structuredContent).toMatchObject({ servers: [{ restarts: 1, changed_tools: ['same'] }] });
    await expect(changes()).resolves.toEqual({ added: [], removed: [], changed: [] });
    const again = await rig.result('list_servers');
    expect(JSON.stringify(again.structuredContent)).not.toContain('changed_tools');
  });

  it('M3: of a server that had crashed tells the changes since it ran', async () => {
    await using rig = rigOf();
    await rig.result('add_server', { name: 'a', command: NODE });
    rig.spawner.last.exit(1);
    await vi.waitUntil(() => rig.registryRig.states[0] === 'crashed', { timeout: 10_000, interval: 1 });
    const { structuredContent } = await rig.result('reload_server', { name: 'a' });
    expect(structuredContent).toMatchObject({ changes: { added: [], removed: [], changed: [] } });
  });
});
