import { describe, expect, it } from 'vitest';

import { FakeSpawner } from '../testing/fake-server.js';
import { OwnToolsRig } from '../testing/own-tools-rig.js';
import type { ServerConfig } from '../server/config/server-config.js';
import type { ServerStore } from './context/server-store.js';

const NODE = process.execPath;

/** Stores servers in memory; with a problem, nothing can be done. */
class FakeStore implements ServerStore {
  readonly kept = new Map<string, ServerConfig>();
  problem: string | undefined;
  /** What happens before something is stored. */
  before: () => void = () => undefined;

  save(name: string, config: ServerConfig): Promise<void> {
    this.before();
    if (this.problem !== undefined) return Promise.reject(new Error(this.problem));
    this.kept.set(name, config);
    return Promise.resolve();
  }

  delete(name: string): Promise<boolean> {
    return this.problem === undefined
      ? Promise.resolve(this.kept.delete(name))
      : Promise.reject(new Error(this.problem));
  }
}

function rigOf(store?: ServerStore, mode: 'allow' | 'ask' = 'allow'): OwnToolsRig {
  const spawner = new FakeSpawner(({ args: [how] }) => ({
    tools: ['say'],
    ...(how === 'mute' && { intercept: () => undefined }),
    ...(how === 'fail' && { intercept: (_: unknown, __: unknown, server) => server.exit(3) }),
  }));
  return new OwnToolsRig(spawner, { mode }, 'warn', store);
}

describe('add_server with persist', () => {
  it('keeps what was asked for, once it runs, and says so', async () => {
    const store = new FakeStore();
    await using rig = rigOf(store);
    const config = { command: NODE, args: ['x'], env: { TOKEN: 'hunter22' }, restart: 'always' };
    const { structuredContent } = await rig.result('add_server', { name: 'a', ...config, persist: true });
    expect(structuredContent).toMatchObject({ status: 'running', persisted: true });
    expect(Object.fromEntries(store.kept)).toEqual({ a: config });
    expect(rig.audited).toMatchObject([{ action: 'persist', server: 'a', outcome: 'done', session: 1 }]);
    expect(JSON.stringify(rig.audited)).not.toContain('hunter22');
  });

  it('is refused before anything is started where nothing is kept, with what to do', async () => {
    await using rig = rigOf();
    const { content, isError } = await rig.result('add_server', { name: 'a', command: NODE, persist: true });
    expect(isError).toBe(true);
    expect(content[0]?.text).toMatch(/"a" was not added.*without "persist".*--catalog FILE/s);
    expect(rig.spawner.servers).toEqual([]);
    expect(rig.audited).toMatchObject([{ action: 'add', outcome: 'refused', rule: 'no store' }]);
  });

  it('keeps nothing that was not asked for, that does not start, or whose start is cancelled', async () => {
    const store = new FakeStore();
    await using rig = rigOf(store);
    const { structuredContent } = await rig.result('add_server', {
      name: 'a',
      command: NODE,
      persist: false,
    });
    expect(structuredContent).not.toHaveProperty('persisted');
    await rig.result('add_server', { name: 'b', command: NODE, args: ['fail'], persist: true });
    const cancelled = new AbortController();
    store.before = () => cancelled.abort();
    const cancelledAdd = { name: 'c', command: NODE, persist: true };
    await rig.result('add_server', cancelledAdd, cancelled.signal);
    expect([...store.kept]).toEqual([]);
    expect(rig.audited.filter(({ action }) => action === 'persist')).toEqual([]);
  });

  it('runs a server that cannot be kept, and says why it is not', async () => {
    const store = new FakeStore();
    store.problem = 'the disk is full.';
    await using rig = rigOf(store);
    const { structuredContent } = await rig.result('add_server', { name: 'a', command: NODE, persist: true });
    expect(structuredContent).toMatchObject({
      status: 'running',
      persisted: false,
      note: 'It runs, but is not saved: the disk is full.',
    });
    expect(rig.audited).toMatchObject([{ action: 'persist', outcome: 'failed' }]);
  });

  it('of a server that starts for long is told to be kept later', async () => {
    await using rig = rigOf(new FakeStore());
    const added = rig.result('add_server', { name: 'a', command: NODE, args: ['mute'], persist: true });
    rig.clock.advance(50_000);
    const { structuredContent } = await added;
    expect(structuredContent).toMatchObject({
      status: 'starting',
      note: expect.stringContaining('saved for later starts once it runs') as string,
    });
  });

  it('asks the user for both, where the user is asked', async () => {
    await using rig = rigOf(new FakeStore(), 'ask');
    rig.userAnswers = { result: { action: 'accept' } };
    await rig.result('add_server', { name: 'a', command: NODE, persist: true });
    await rig.result('add_server', { name: 'b', command: NODE });
    expect(rig.asked.map((question) => question.includes('each start of mcpmux'))).toEqual([true, false]);
  });
});

describe('remove_server', () => {
  it('takes a server that was kept out of what is kept', async () => {
    const store = new FakeStore();
    await using rig = rigOf(store);
    await rig.result('add_server', { name: 'a', command: NODE, persist: true });
    const { structuredContent } = await rig.result('remove_server', { name: 'a' });
    expect(structuredContent).toEqual({ name: 'a', removed: true, forgotten: true });
    expect(store.kept.size).toBe(0);
    expect(rig.audited.at(-1)).toMatchObject({ action: 'forget', outcome: 'done' });
  });

  it('tells nothing of it where the server was not kept', async () => {
    await using rig = rigOf(new FakeStore());
    await rig.result('add_server', { name: 'a', command: NODE });
    const { structuredContent } = await rig.result('remove_server', { name: 'a' });
    expect(structuredContent).toEqual({ name: 'a', removed: true });
    expect(rig.audited).toEqual([]);
  });

  it('removes a server that cannot be taken out, and says that it starts again', async () => {
    const store = new FakeStore();
    await using rig = rigOf(store);
    await rig.result('add_server', { name: 'a', command: NODE, persist: true });
    store.problem = 'the file is read-only.';
    const { structuredContent } = await rig.result('remove_server', { name: 'a' });
    expect(structuredContent).toEqual({
      name: 'a',
      removed: true,
      note: 'It starts again with the next mcpmux: the file is read-only.',
    });
    expect(rig.registryRig.states).toEqual([]);
  });
});
