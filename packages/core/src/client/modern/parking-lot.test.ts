import { DEFAULT_LIMITS } from '@mcpmux/kit';
import { ManualClock } from '@mcpmux/testing/manual-clock';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { createMux } from '../../mux/mux.js';
import { ParkingLot, type ParkedRequest } from './parking-lot.js';
import { StateSeal } from './request-state.js';

const BY = { group: 'g', principalId: 'p', digest: 'd' };
const KEY = Buffer.alloc(32, 7);

function newLot(seal?: StateSeal): ParkingLot {
  const limits = { ...DEFAULT_LIMITS, maxParkedPerServer: 2, maxParkedPerClient: 9 };
  return new ParkingLot({ clock: new ManualClock(), limits }, seal);
}

/** A request to this server that notes its end under its name. */
function suspended(ended: string[], name: string, serverConnection: object | undefined): ParkedRequest {
  return {
    ...BY,
    serverConnection,
    resume: () => void ended.push(`${name} goes on`),
    expire: () => void ended.push(name),
  };
}

describe('requests that wait for their retry', () => {
  it('D28: of one server give way to later ones of that server alone', () => {
    const lot = newLot();
    const ended: string[] = [];
    const [one, other] = [{}, {}];
    lot.park(suspended(ended, 'other', other));
    lot.park(suspended(ended, 'own tool', undefined));
    for (const name of ['first', 'second', 'third']) lot.park(suspended(ended, name, one));
    expect(ended).toEqual(['first']);
    expect(lot.size).toBe(4);
  });

  it('make room for others when they go on', () => {
    const lot = newLot();
    const ended: string[] = [];
    const server = {};
    const states = ['a', 'b'].map((name) => lot.park(suspended(ended, name, server)));
    expect(lot.take(states[0] ?? '', BY)).not.toHaveProperty('reason');
    lot.park(suspended(ended, 'c', server));
    expect(ended).toEqual([]);
  });

  it.each([-3_600_000, 3_600_000])('go on though the clock of the machine was changed by %i ms', (change) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const lot = newLot();
    const ended: string[] = [];
    const state = lot.park(suspended(ended, 'a', {}));
    vi.setSystemTime(Date.now() + change);
    expect(lot.take(state, BY)).not.toHaveProperty('reason');
    expect(ended).toEqual([]);
  });

  it('go on in the mux that keeps them, though others have its key', () => {
    const [first, second] = [newLot(new StateSeal(KEY)), newLot(new StateSeal(KEY))];
    const state = first.park(suspended([], 'a', undefined));
    second.park(suspended([], 'b', undefined));
    expect(second.take(state, BY)).toEqual({
      reason: 'the mcpmux that gave it out is another one, or has ended',
    });
    expect(newLot().take(state, BY)).toEqual({ reason: 'mcpmux has not made it' });
    expect(first.take(state, BY)).not.toHaveProperty('reason');
  });
});

it('a key has 32 bytes', () => {
  expect(() => createMux({ requestStateKey: Buffer.alloc(31) })).toThrow(
    'requestStateKey has 31 bytes; a key has 32.',
  );
});
