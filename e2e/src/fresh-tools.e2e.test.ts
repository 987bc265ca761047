import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { AGENTS } from './testing/agents.js';
import { BuildServer } from './testing/build-server.js';
import { HttpCli } from './testing/http-cli.js';
import { connectSse, HTTP_CLIENTS } from './testing/http-clients.js';
import { ListFollower } from './testing/list-follower.js';
import { LoopGaps } from './testing/loop-gaps.js';

/** Fifty in a row are shown on one Node.js. On the further majors a part of them shows that these do the same. */
const PART = process.env['E2E_NODE'] === undefined ? 1 : 0.2;
const CYCLES = 50 * PART;
const SESSIONS = 5 * PART;
const HTTP_CYCLES = 10 * PART;
const TIMEOUT_MS = 240_000;
/** A gap of this length, less the rounding of timers, takes from the client the time that it has to read a list. */
const STALL_MS = 45;
/** A client that stands still more often is on a machine on which this cannot be tested. */
const MAX_REPEATS = 10;

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

/**
 * The outcomes of so many cycles. mcpmux leaves the client 50 ms to read the list before it reads the answer. When the
 * event loop of this process stands still for longer, as on a machine with other things to do, list and answer come in
 * one piece, and the cycle tells nothing of mcpmux: it is done once more, and there is a bound on how many are. A cycle
 * in which this process has not stood still counts, however it ended.
 */
async function cycles(follower: ListFollower, count: number): Promise<readonly (readonly string[])[]> {
  const server = await BuildServer.in(folder);
  const outcomes: (readonly string[])[] = [];
  let repeats = 0;
  using gaps = new LoopGaps();
  while (outcomes.length < count) {
    gaps.take();
    const outcome = await cycle(follower, server);
    const isStale = outcome.some((names, index) => names !== FRESH[index]);
    if (isStale && gaps.take() >= STALL_MS && repeats < MAX_REPEATS) repeats += 1;
    else outcomes.push(outcome);
  }
  return outcomes;
}

function freshEach(count: number): readonly (readonly string[])[] {
  return Array.from({ length: count }, () => FRESH);
}

describe.each(AGENTS)('an agent on the %s that follows list_changed', (_, connect) => {
  it(
    'M1 M2 M3: knows the tools of now when it reads the answer that brought them, each time',
    async () => {
      await using agent = await connect();
      const follower = await ListFollower.ofAgent(agent);
      expect(await cycles(follower, CYCLES)).toEqual(freshEach(CYCLES));
    },
    TIMEOUT_MS,
  );

  it(
    'M1 M2 M3: the first time in a session, too',
    async () => {
      for (let session = 0; session < SESSIONS; session += 1) {
        await using agent = await connect();
        const follower = await ListFollower.ofAgent(agent);
        expect(await cycles(follower, 1)).toEqual(freshEach(1));
      }
    },
    TIMEOUT_MS,
  );
});

it.each([...HTTP_CLIENTS, ['SDK v1 client of the deprecated transport', connectSse] as const])(
  'M1 M2 M3: the %s over HTTP knows the tools of now when it reads the answer that brought them',
  async (_, connect) => {
    await using cli = await HttpCli.open({ args: ['--sse'] });
    await using client = await connect(connect === connectSse ? new URL('/sse', cli.url) : cli.url);
    const follower = await ListFollower.ofHttpClient(client);
    expect(await cycles(follower, HTTP_CYCLES)).toEqual(freshEach(HTTP_CYCLES));
  },
  TIMEOUT_MS,
);
