import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { AGENTS, type Agent } from './testing/agents.js';
import { BuildServer } from './testing/build-server.js';
import { fixtureServer } from './testing/fixture-server.js';
import { RawCli } from './testing/raw-cli.js';
import { serverIn } from './testing/server-list.js';

const LIST_CHANGED = 'notifications/tools/list_changed';
const DEADLINE_MS = 5000;

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcpmux-lists-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What a client sees that lists the tools of servers whenever it is told that they have changed. */
function follow(agent: Agent): readonly (readonly string[])[] {
  const seen: (readonly string[])[] = [];
  let listing = Promise.resolve();
  agent.onListChanged(() => {
    listing = listing.then(async () => {
      const names = (await agent.tools()).map((tool) => tool.name);
      seen.push(names.filter((name) => name.includes('__')));
    });
  });
  return seen;
}

async function kill(agent: Agent, name: string): Promise<void> {
  const { pid } = serverIn(await agent.call('list_servers'), name) ?? {};
  if (pid === undefined) throw new Error(`${name} has no process`);
  process.kill(pid, 'SIGKILL');
}

describe.each(AGENTS)('an agent on the %s', (_, connect) => {
  it('M1 M2 M3 M7: is told once, of the list as it is now, after add, reload, crash and remove', async () => {
    const server = await BuildServer.in(folder);
    await using agent = await connect();
    const seen = follow(agent);
    const seenSoFar = (count: number): Promise<boolean> =>
      vi.waitUntil(() => seen.length >= count, DEADLINE_MS);
    await server.build('old');
    await agent.call('add_server', { name: 'one', ...server.config });
    await seenSoFar(1);
    await server.build('old', 'new');
    await agent.call('reload_server', { name: 'one' });
    await seenSoFar(2);
    await kill(agent, 'one');
    await seenSoFar(3);
    await agent.call('reload_server', { name: 'one' });
    await seenSoFar(4);
    await agent.call('remove_server', { name: 'one' });
    await seenSoFar(5);
    // what was announced once too often stands before this
    await agent.call('add_server', { name: 'two', ...fixtureServer('crash') });
    await vi.waitUntil(() => seen.at(-1)?.includes('two__crash'), DEADLINE_MS);
    const [old, both] = [['one__old'], ['one__old', 'one__new']];
    expect(seen).toEqual([old, both, [], both, [], ['two__crash']]);
  });

  it('M3: is not told of a list that is the same: after the reload of an unchanged build', async () => {
    const server = await BuildServer.in(folder);
    await using agent = await connect();
    const seen = follow(agent);
    await server.build('old');
    await agent.call('add_server', { name: 'one', ...server.config });
    for (let count = 0; count < 3; count += 1) await agent.call('reload_server', { name: 'one' });
    await agent.call('add_server', { name: 'two', ...fixtureServer('crash') });
    await vi.waitUntil(() => seen.at(-1)?.includes('two__crash'), DEADLINE_MS);
    expect(seen).toEqual([['one__old'], ['one__old', 'two__crash']]);
  });
});

it('M3: changes that come together are announced once, and the list asked for then shows them all', async () => {
  await using cli = new RawCli({ args: ['--log-level', 'error'] });
  const count = (): number => cli.messages.filter(({ method }) => method === LIST_CHANGED).length;
  const names = ['one', 'two', 'three'];
  await cli.initialize();
  // one after the other, each announced: what is counted below is nothing left over
  for (const [index, name] of names.entries()) {
    await cli.call('add_server', { name, ...fixtureServer('echo') });
    await cli.until(() => (count() > index ? true : undefined));
  }
  expect(count()).toBe(names.length);
  const removals = names.map((name) => {
    const params = { name: 'remove_server', arguments: { name } };
    return JSON.stringify({ jsonrpc: '2.0', id: `remove ${name}`, method: 'tools/call', params });
  });
  // one write: mcpmux reads them in one piece, so they are together on a busy machine as well
  cli.write(removals.join('\n'));
  await cli.until(() => (count() > names.length ? true : undefined));
  const listed = await cli.request('tools/list');
  expect(JSON.stringify(listed.result)).not.toContain('__echo');
  await Promise.all(names.map((name) => cli.response(`remove ${name}`)));
  await cli.call('add_server', { name: 'last', ...fixtureServer('echo') });
  await cli.until(() => (count() > names.length + 1 ? true : undefined));
  expect(count()).toBe(names.length + 2);
});
