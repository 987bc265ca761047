import { nextTurn } from '@mcpmux/testing/next-turn';
import { isSettled } from '@mcpmux/testing/is-settled';
import { describe, expect, it } from 'vitest';

import { StandInUpstream } from '../testing/stand-in-upstream.js';
import { StartingServers } from './starting-servers.js';

const ALL = (): boolean => true;

describe('the servers that are starting', () => {
  it.each([
    ['runs', (server: StandInUpstream) => server.nowRunning()],
    ['crashes', (server: StandInUpstream) => server.nowCrashed()],
    ['is removed', (server: StandInUpstream) => server.nowRemoved()],
  ])('settle when the last of them %s', async (_, end) => {
    const starting = new StartingServers();
    const [first, last] = [new StandInUpstream('a').nowStarting(), new StandInUpstream('b').nowStarting()];
    for (const server of [first, last]) expect(starting.updateState(server)).toBe(false);
    const settled = starting.whenStarted(ALL) ?? Promise.reject(new Error('nothing starts'));
    expect(starting.updateState(first.nowRunning())).toBe(true);
    await nextTurn();
    await expect(isSettled(settled)).resolves.toBe(false);
    end(last);
    expect(starting.updateState(last)).toBe(true);
    await settled;
    expect([starting.hasServers, starting.whenStarted(ALL)]).toEqual([false, undefined]);
  });

  it('do not count where they are not meant', () => {
    const starting = new StartingServers();
    starting.updateState(new StandInUpstream('a').nowStarting());
    expect(starting.whenStarted(({ name }) => name === 'b')).toBeUndefined();
  });

  it('are not those whose lists are known: one that is reloaded', () => {
    const starting = new StartingServers();
    expect(starting.updateState(new StandInUpstream('a').nowStarting(2))).toBe(false);
    expect(starting.hasServers).toBe(false);
  });
});
