import { describe, expect, it } from 'vitest';

import { systemClock, waitAtMost } from './clock.js';
import { ManualClock } from '@mcpmux/testing/manual-clock';
import { nextTurn } from '@mcpmux/testing/next-turn';

describe('waitAtMost', () => {
  it('tells that the event came before the limit', async () => {
    const clock = new ManualClock();
    await expect(waitAtMost(1000, Promise.resolve('any value'), clock)).resolves.toBe(true);
    expect(clock.timerCount).toBe(0);
  });

  it('tells that the limit came before the event', async () => {
    const clock = new ManualClock();
    const waiting = waitAtMost(1000, new Promise(() => undefined), clock);
    clock.advance(999);
    const early = await Promise.race([waiting, nextTurn().then(() => 'still waiting')]);
    expect(early).toBe('still waiting');
    clock.advance(1);
    await expect(waiting).resolves.toBe(false);
    expect(clock.timerCount).toBe(0);
  });

  it('rejects when the event does, and leaves no timer behind', async () => {
    const clock = new ManualClock();
    await expect(waitAtMost(1000, Promise.reject(new Error('broken')), clock)).rejects.toThrow('broken');
    expect(clock.timerCount).toBe(0);
  });

  it('owns the rejection of an event that comes too late', async () => {
    const clock = new ManualClock();
    let reject: (error: Error) => void = () => undefined;
    const event = new Promise((_, fail) => (reject = fail));
    const waiting = waitAtMost(10, event, clock);
    clock.advance(10);
    await expect(waiting).resolves.toBe(false);
    // Without an owner this would end the test run as an unhandled rejection.
    reject(new Error('too late'));
    await nextTurn();
  });
});

describe('systemClock', () => {
  it('F16: never goes back', () => {
    const readings = Array.from({ length: 1000 }, () => systemClock.now());
    expect(readings).toEqual(readings.toSorted((a, b) => a - b));
  });

  it('calls back once, unless it was cancelled', async () => {
    const calls: string[] = [];
    systemClock.schedule(() => calls.push('cancelled'), 1).cancel();
    systemClock.schedule(() => calls.push('kept'), 1);
    await new Promise<void>((resolve) => {
      systemClock.schedule(resolve, 5);
    });
    expect(calls).toEqual(['kept']);
  });
});
