import { expect, it } from 'vitest';

import { RunPlaces } from './run-places.js';

const never = new AbortController().signal;

it('a principal whose runs take all its places, and all that may wait, keeps nobody else from running', async () => {
  const places = new RunPlaces(2);
  const running = [await places.enter('ann', never), await places.enter('ann', never)];
  const waiting = Array.from({ length: 8 }, () => places.enter('ann', never));
  expect(places.enter('ann', never)).toBeUndefined();
  const bob = await places.enter('bob', never);
  expect(bob).toBeTypeOf('function');
  bob?.();
  for (const leave of running) leave?.();
  for (const one of waiting) (await one)?.();
  expect(await places.enter('ann', never)).toBeTypeOf('function');
});

it('more principals than run at once wait for one of them', async () => {
  const places = new RunPlaces(1);
  const first = await Promise.all(['a', 'b', 'c', 'd'].map(async (name) => places.enter(name, never)));
  let isIn = false;
  const fifth = places.enter('e', never)?.then((leave) => {
    isIn = true;
    return leave;
  });
  await Promise.resolve();
  expect(isIn).toBe(false);
  first[0]?.();
  expect(await fifth).toBeTypeOf('function');
});

it('a run that is no longer wanted gives up its place in the line', async () => {
  const places = new RunPlaces(1);
  const leave = await places.enter('ann', never);
  const gone = new AbortController();
  const waiting = places.enter('ann', gone.signal);
  gone.abort();
  expect(await waiting).toBeUndefined();
  leave?.();
  expect(await places.enter('ann', never)).toBeTypeOf('function');
});
