import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { AGENTS, type Agent } from './testing/agents.js';
import { BuildServer } from './testing/build-server.js';
import { ListFollower } from './testing/list-follower.js';

const CYCLES = 100;
const SESSIONS = 10;
const TIMEOUT_MS = 240_000;

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcpmux-fresh-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What the client knows in the very moment of the answer: after an add, a reload of a new build, and a remove. */
async function cycle(follower: ListFollower, server: BuildServer): Promise<readonly string[]> {
  await server.build('old');
  const added = await follower.knownAfter('add_server', { name: 's', ...server.config });
  await server.build('old', 'new');
  const reloaded = await follower.knownAfter('reload_server', { name: 's' });
  const removed = await follower.knownAfter('remove_server', { name: 's' });
  return [added, reloaded, removed].map((names) => names.join(' '));
}

const FRESH = ['s__old', 's__old s__new', ''];

describe.each(AGENTS)('an agent on the %s that follows list_changed', (_, connect) => {
  async function seen(agent: Agent, cycles: number, server: BuildServer): Promise<unknown[]> {
    const follower = await ListFollower.of(agent);
    const outcomes: unknown[] = [];
    for (let count = 0; count < cycles; count += 1) outcomes.push(await cycle(follower, server));
    return outcomes;
  }

  it(
    'M1 M2 M3: knows the tools of now when it reads the answer that brought them, each time',
    async () => {
      await using agent = await connect();
      const outcomes = await seen(agent, CYCLES, await BuildServer.in(folder));
      expect(outcomes).toEqual(Array.from({ length: CYCLES }, () => FRESH));
    },
    TIMEOUT_MS,
  );

  it(
    'M1 M2 M3: the first time in a session, too',
    async () => {
      const server = await BuildServer.in(folder);
      for (let session = 0; session < SESSIONS; session += 1) {
        await using agent = await connect();
        expect(await seen(agent, 1, server)).toEqual([FRESH]);
      }
    },
    TIMEOUT_MS,
  );
});
