import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { importStatement } from '@mcpmux/testing/importing';
import { fixturePath } from '@mcpmux/test-servers';
import { describe, expect, it } from 'vitest';

import { AGENTS, type Agent, type ToolAnswer } from './testing/agents.js';
import { NODE } from './testing/built-cli.js';
import { fixtureServer } from './testing/fixture-server.js';
import { serverIn, type ListedServer } from './testing/server-list.js';

/** The message came back, or the answer says that the server was removed, before the call or during it. */
function isCleanOutcome(outcome: PromiseSettledResult<ToolAnswer>, message: string): boolean {
  if (outcome.status === 'rejected') return (outcome.reason as { code?: unknown }).code === -32602;
  const { isError, text } = outcome.value;
  return isError ? text.includes('Server "busy" was removed') : text === message;
}

async function names(agent: Agent): Promise<string[]> {
  return (await agent.tools()).map((tool) => tool.name);
}

async function listed(agent: Agent, name: string): Promise<ListedServer | undefined> {
  return serverIn(await agent.call('list_servers'), name);
}

describe.each(AGENTS)('an agent on the %s', (_, connect) => {
  it('M1 M2 M5: adds a server, calls its tool, removes it, and the call is refused then', async () => {
    await using agent = await connect();
    const added = await agent.call('add_server', { name: 'one', ...fixtureServer('echo') });
    expect(added).toMatchObject({ isError: false, structured: { name: 'one', status: 'running' } });
    await expect(names(agent)).resolves.toContain('one__echo');
    await expect(agent.call('one__echo', { message: 'hello' })).resolves.toMatchObject({
      text: 'hello',
      isError: false,
    });
    await expect(agent.call('remove_server', { name: 'one' })).resolves.toMatchObject({ isError: false });
    await expect(names(agent)).resolves.not.toContain('one__echo');
    await expect(agent.call('one__echo', { message: 'hello' })).rejects.toMatchObject({ code: -32602 });
  });

  it('M3: reloads a server whose program was replaced: a new tool appears and works, one list_changed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mcpmux-reload-'));
    const program = join(folder, 'server.mjs');
    // A launcher that imports whichever version stands in the file: the built fixtures share chunks by relative paths.
    const version = async (name: 'echo' | 'echo-v2'): Promise<void> => {
      await writeFile(program, importStatement(fixturePath(name)));
    };
    try {
      await version('echo');
      await using agent = await connect();
      await agent.call('add_server', { name: 'live', command: NODE, args: [program] });
      await expect(names(agent)).resolves.not.toContain('live__reverse');
      await expect.poll(() => agent.listChanges()).toBe(1);
      await version('echo-v2');
      const reloaded = await agent.call('reload_server', { name: 'live' });
      expect(reloaded.structured).toMatchObject({ name: 'live', status: 'running' });
      await expect(names(agent)).resolves.toContain('live__reverse');
      await expect(agent.call('live__reverse', { message: 'abc' })).resolves.toMatchObject({ text: 'cba' });
      await expect.poll(() => agent.listChanges()).toBe(2);
      await expect(listed(agent, 'live')).resolves.toMatchObject({ status: 'running', restarts: 1 });
      expect(agent.listChanges()).toBe(2);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('M7: a server that is killed is crashed, its tools are gone and not callable, and reload brings it back', async () => {
    await using agent = await connect();
    await agent.call('add_server', { name: 'victim', ...fixtureServer('stderr-talker') });
    await agent.call('victim__talk', { lines: 3 });
    const { pid } = (await listed(agent, 'victim')) ?? {};
    process.kill(pid ?? Number.NaN, 'SIGKILL');
    await expect.poll(() => listed(agent, 'victim')).toMatchObject({ status: 'crashed', tools: [] });
    await expect(listed(agent, 'victim')).resolves.toMatchObject({ last_error: { signal: 'SIGKILL' } });
    await expect(names(agent)).resolves.not.toContain('victim__talk');
    const refused = await agent.call('victim__talk', { lines: 3 });
    expect(refused.isError).toBe(true);
    expect(refused.text).toMatch(/"victim".*SIGKILL[^]*\bline 3$[^]*reload_server/m);
    await expect(agent.call('reload_server', { name: 'victim' })).resolves.toMatchObject({ isError: false });
    await expect(agent.call('victim__talk', { lines: 1 })).resolves.toMatchObject({ text: 'wrote 1 lines' });
  });

  it('M5: a call that dies with its server says which server, why, what it wrote last and what to do', async () => {
    await using agent = await connect();
    await agent.call('add_server', { name: 'fragile', ...fixtureServer('crash') });
    const answer = await agent.call('fragile__crash');
    expect(answer.isError).toBe(true);
    expect(answer.text).toContain('Server "fragile" exited with code 1.');
    expect(answer.text).toContain('crash: exiting with code 1 as asked');
    expect(answer.text).toContain('reload_server');
  });

  it('M9: ten calls in flight while their server is removed complete or fail cleanly', async () => {
    await using agent = await connect();
    await agent.call('add_server', { name: 'busy', ...fixtureServer('echo') });
    const calls = Array.from({ length: 10 }, (__, index) =>
      agent.call('busy__slow_echo', { message: `m${index}`, delay_ms: 100 }),
    );
    const [answers] = await Promise.all([
      Promise.allSettled(calls),
      agent.call('remove_server', { name: 'busy' }),
    ]);
    expect(answers.filter((answer, index) => !isCleanOutcome(answer, `m${index}`))).toEqual([]);
    await expect(agent.call('list_servers')).resolves.toMatchObject({ structured: { servers: [] } });
  });

  it('M6: lists its own tools first, and no server can take their names', async () => {
    await using agent = await connect();
    await expect(
      agent.call('add_server', { name: 'add_server', ...fixtureServer('echo') }),
    ).resolves.toMatchObject({
      isError: false,
    });
    const all = await names(agent);
    expect(all.slice(0, 3)).toEqual(['add_server', 'remove_server', 'reload_server']);
    expect(all.slice(-2)).toEqual(['add_server__echo', 'add_server__slow_echo']);
    expect(all.slice(0, -2).filter((name) => name.includes('__'))).toEqual([]);
    await expect(agent.call('add_server', { name: 'a__b', ...fixtureServer('echo') })).resolves.toMatchObject(
      {
        isError: true,
      },
    );
  });

  it('self-test: mcpmux adds its own echo fixture, calls it, reloads it and removes it', async () => {
    await using agent = await connect();
    await agent.call('add_server', { name: 'self', ...fixtureServer('echo') });
    await expect(agent.call('self__echo', { message: '1' })).resolves.toMatchObject({ text: '1' });
    await agent.call('reload_server', { name: 'self' });
    await expect(agent.call('self__echo', { message: '2' })).resolves.toMatchObject({ text: '2' });
    await expect(agent.call('remove_server', { name: 'self' })).resolves.toMatchObject({ isError: false });
    await expect(listed(agent, 'self')).resolves.toBeUndefined();
  });
});
