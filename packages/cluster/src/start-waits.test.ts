import type { Mux } from '@mcpmux/core';
import { ManualClock } from '@mcpmux/testing/manual-clock';
import { nextTurn } from '@mcpmux/testing/next-turn';
import { expect, it } from 'vitest';

import { StartWaits } from './start-waits.js';

/** A mux whose server changes its state when the test says so. */
function startWaits() {
  const listeners = new Set<(event: { server: string }) => void>();
  const state = { isOnItsWay: true };
  const clock = new ManualClock();
  const on = ((_: string, listener: (event: { server: string }) => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one event that arrivals listen to
  }) as unknown as Mux['on'];
  const all = new StartWaits({ on }, clock, () => state.isOnItsWay);
  const emit = (server: string): void => {
    for (const listener of listeners) listener({ server });
  };
  return { all, state, clock, emit, listeners };
}

async function hasEnded(waiting: Promise<void> | undefined): Promise<boolean> {
  await nextTurn();
  return Promise.race([Promise.resolve(waiting).then(() => true), nextTurn().then(() => false)]);
}

it('nobody waits for a server that is not on its way', () => {
  const { all, state } = startWaits();
  state.isOnItsWay = false;
  expect(all.whenArrived('one')).toBeUndefined();
});

it('a request waits until the server has arrived', async () => {
  const { all, state, emit, listeners } = startWaits();
  const waiting = all.whenArrived('one');
  emit('one');
  expect(await hasEnded(waiting)).toBe(false);
  state.isOnItsWay = false;
  emit('other');
  expect(await hasEnded(waiting)).toBe(false);
  emit('one');
  expect(await hasEnded(waiting)).toBe(true);
  expect(listeners.size).toBe(0);
});

it('a request waits for at most 30 seconds', async () => {
  const { all, clock, listeners } = startWaits();
  const waiting = all.whenArrived('one');
  clock.advance(29_999);
  expect(await hasEnded(waiting)).toBe(false);
  clock.advance(1);
  expect(await hasEnded(waiting)).toBe(true);
  expect(listeners.size).toBe(0);
});

it('a request waits no longer for a server that the cluster no longer has', async () => {
  const { all, state } = startWaits();
  const [first, second] = [all.whenArrived('one'), all.whenArrived('one')];
  all.endWaits('other');
  expect(await hasEnded(first)).toBe(false);
  state.isOnItsWay = false;
  all.endWaits('one');
  expect(await hasEnded(first)).toBe(true);
  expect(await hasEnded(second)).toBe(true);
});
