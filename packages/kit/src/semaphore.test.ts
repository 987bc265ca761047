import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { nextTurn } from '@mcpmux/testing/next-turn';
import { Semaphore } from './semaphore.js';

describe('a semaphore', () => {
  it('gives a slot that was given back twice to one caller only', async () => {
    const limiter = new Semaphore(1);
    const release = await limiter.acquire();
    const entered: number[] = [];
    for (const caller of [1, 2, 3]) void limiter.acquire().then(() => entered.push(caller));
    release();
    release();
    await nextTurn();
    expect(entered).toEqual([1]);
  });

  it('lets nobody overtake those who wait', async () => {
    const limiter = new Semaphore(1);
    const release = await limiter.acquire();
    const entered: string[] = [];
    void limiter.acquire().then(() => entered.push('came first'));
    release();
    // The slot is free for an instant only in appearance: it went to the one who waited.
    void limiter.acquire().then(() => entered.push('came second'));
    await nextTurn();
    expect(entered).toEqual(['came first']);
  });

  it('fault A15: never lets in more than it has slots, and lets all in, in the order they came', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 20 }),
        async (scheduler, slots, releases) => {
          const limiter = new Semaphore(slots);
          const entered: number[] = [];
          let inside = 0;
          let mostInside = 0;
          const callers = releases.map(async (times, caller) => {
            const release = await limiter.acquire();
            entered.push(caller);
            inside += 1;
            mostInside = Math.max(mostInside, inside);
            await scheduler.schedule(Promise.resolve(), `work of ${caller}`);
            inside -= 1;
            for (let time = 0; time < times; time += 1) release();
          });
          await scheduler.waitFor(Promise.all(callers));
          expect(entered).toEqual(releases.map((_, caller) => caller));
          expect(mostInside).toBe(Math.min(slots, releases.length));
        },
      ),
    );
  });
});
