import { setImmediate as afterTurn } from 'node:timers/promises';

import { expect, it } from 'vitest';

import { BodyBatch } from './read-body.js';

it('does the work of one turn together at its end, in order, and later work in a later turn', async () => {
  const batch = new BodyBatch();
  const done: string[] = [];
  batch.schedule(() => {
    done.push('first');
    batch.schedule(() => done.push('of the next turn'));
    queueMicrotask(() => done.push('caused by the first'));
  });
  await Promise.resolve();
  batch.schedule(() => done.push('second'));
  expect(done).toEqual([]);
  await afterTurn();
  expect(done).toEqual(['first', 'second', 'caused by the first']);
  await afterTurn();
  expect(done.at(-1)).toBe('of the next turn');
});
