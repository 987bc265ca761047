import { expect, it } from 'vitest';

import { findSilentNodes } from './silent-nodes.js';
import type { WaitClock } from './waiting.js';

/** Nodes that renew their records every so many milliseconds; undefined: never again. */
function nodes(periods: Readonly<Record<string, number | undefined>>) {
  let time = 0;
  const listening: WaitClock = {
    now: () => time,
    pause: (ms) => {
      time += ms;
      return Promise.resolve();
    },
  };
  const renewalOf = (id: string): number => {
    const period = periods[id];
    return period === undefined ? 7 : 7 + Math.floor(time / period);
  };
  const all = new Map(Object.keys(periods).map((id) => [id, { id, isAlive: true } as never]));
  return { directory: { nodes: () => all, renewalOf }, listening, time: () => time };
}

it('the wait ends with the first sign of life of the last node', async () => {
  const { directory, listening, time } = nodes({ a: 1000, b: 2500 });
  expect([...(await findSilentNodes(directory, listening))]).toEqual([]);
  expect(time()).toBe(2500);
});

it('nodes without a sign of life are silent, and a cluster without nodes is not waited for', async () => {
  const some = nodes({ a: 3400, dead: undefined });
  expect([...(await findSilentNodes(some.directory, some.listening))]).toEqual(['dead']);
  expect(some.time()).toBeLessThan(5000);
  const none = nodes({});
  expect([...(await findSilentNodes(none.directory, none.listening))]).toEqual([]);
  expect(none.time()).toBe(0);
});
