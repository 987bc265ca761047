import { expect, it } from 'vitest';

import { oneAtATime } from './one-at-a-time.js';

it('work that is wanted while it is done is done once more after it', async () => {
  const begun: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] = [];
  const want = oneAtATime(() => new Promise<void>((resolve, reject) => begun.push({ resolve, reject })));
  want();
  want();
  want();
  expect(begun).toHaveLength(1);
  begun[0]?.reject(new Error('no answer'));
  await expect.poll(() => begun.length).toBe(2);
  begun[1]?.resolve();
  await new Promise((resolve) => setTimeout(resolve));
  expect(begun).toHaveLength(2);
  want();
  await expect.poll(() => begun.length).toBe(3);
});
