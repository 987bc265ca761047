import { DEFAULT_LIMITS } from '@mcpmux/kit';
import { ManualClock } from '@mcpmux/testing/manual-clock';
import { nextTurn } from '@mcpmux/testing/next-turn';
import { expect, it } from 'vitest';

import { StartingServers } from '../../catalog/starting-servers.js';
import { StandInUpstream } from '../../testing/stand-in-upstream.js';
import { type ListingClient, whenStatelessListReady } from './first-list.js';

const FIRST_LIST_MS = 5000;

const CLIENT = {
  era: 'modern',
  profile: undefined,
  layer: { supervisorOf: () => undefined },
  view: { sees: () => true, directory: { snapshot: () => ({ upstreams: [] }) } },
} as unknown as ListingClient;

/** A server that started at 0, and the wait of a request that comes some time after. */
function waitAfter(ms: number): { wait: Promise<unknown> | undefined; end: () => void } {
  const clock = new ManualClock();
  const startingServers = new StartingServers();
  const server = new StandInUpstream('s').nowStarting();
  startingServers.updateState(server);
  clock.advance(ms);
  const wait = whenStatelessListReady(CLIENT, {
    clock,
    startingServers,
    limits: { ...DEFAULT_LIMITS, firstListMs: FIRST_LIST_MS },
  });
  return { wait, end: () => startingServers.updateState(server.nowRunning()) };
}

it('a request without a session waits for a server that has just begun to start', async () => {
  const { wait, end } = waitAfter(FIRST_LIST_MS - 1);
  end();
  await expect(wait).resolves.toBe(true);
});

it('each request without a session is answered at once while a server starts for longer', async () => {
  const { wait } = waitAfter(FIRST_LIST_MS);
  await nextTurn();
  expect(wait).toBeUndefined();
});
