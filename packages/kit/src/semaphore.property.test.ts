import fc from 'fast-check';
import { expect, it } from 'vitest';

import { nextTurn } from '@mcpmux/testing/next-turn';
import { propertyRuns } from '@mcpmux/testing/property-runs';
import { Semaphore } from './semaphore.js';

type Step = 'enter' | 'leave' | 'give up';

const steps = fc.array(
  fc.record({
    what: fc.constantFrom<Step>('enter', 'enter', 'enter', 'leave', 'leave', 'give up'),
    pick: fc.nat(),
  }),
  { maxLength: 60 },
);

it('A6: never more are in than there are places, nobody waits beside a free one, and the line is first come first served', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 0, max: 4 }),
      steps,
      async (places, maxWaiting, script) => {
        const line = new Semaphore(places, maxWaiting);
        const inside: number[] = [];
        const waiting = new Map<number, AbortController>();
        const admitted: number[] = [];
        let came = 0;
        let wrong = false;
        for (const { what, pick } of script) {
          if (what === 'enter') {
            const who = (came += 1);
            const abort = new AbortController();
            const isFull = waiting.size === maxWaiting && inside.length === places;
            const place = line.enter(abort.signal);
            wrong ||= (place === undefined) !== isFull;
            if (place !== undefined) waiting.set(who, abort);
            void place?.then((isIn) => {
              waiting.delete(who);
              if (!isIn) return;
              inside.push(who);
              admitted.push(who);
            });
          } else if (what === 'leave' && inside.length > 0) {
            inside.splice(pick % inside.length, 1);
            line.leave();
          } else if (what === 'give up' && waiting.size > 0) {
            [...waiting.values()][pick % waiting.size]?.abort();
          }
          await nextTurn();
          expect(inside.length).toBeLessThanOrEqual(places);
          expect(waiting.size === 0 || inside.length === places).toBe(true);
        }
        expect(wrong).toBe(false);
        expect(admitted).toEqual(admitted.toSorted((a, b) => a - b));
        for (const abort of waiting.values()) abort.abort();
        await nextTurn();
        for (const _ of inside) line.leave();
        expect(line.isEmpty).toBe(true);
      },
    ),
    propertyRuns(40),
  );
});
