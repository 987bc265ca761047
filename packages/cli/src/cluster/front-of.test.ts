import { PassThrough } from 'node:stream';

import { ClusterError, type ClusterErrorCode } from '@mcpmux/cluster';
import { expect, it } from 'vitest';

import { connectToFront } from './front-of.js';

/** A node that fails with these codes first, and then answers. */
function node(codes: readonly ClusterErrorCode[], isGone: boolean | undefined) {
  const left = [...codes];
  const pauses: number[] = [];
  const front = new PassThrough();
  const open = async () => {
    const code = left.shift();
    if (code !== undefined) throw new ClusterError(code, code);
    return Promise.resolve(front);
  };
  const pause = (ms: number): Promise<void> => Promise.resolve(void pauses.push(ms));
  return { front, pauses, found: () => connectToFront(open, () => Promise.resolve(isGone), pause) };
}

it('a node that the cluster counts as gone is gone at once', async () => {
  const { found, pauses } = node(['NOBODY'], true);
  expect(await found()).toBe('gone');
  expect(pauses).toEqual([]);
});

it.each([
  ['lives', false],
  ['may live', undefined],
])(
  'a node that %s and that NATS does not find is out of reach after a second, and not gone',
  async (_, isGone) => {
    const { found, front } = node(['NOBODY', 'NOBODY'], isGone);
    expect(await found()).toBe(front);
    const unfound = node(['NOBODY', 'NOBODY', 'NOBODY', 'NOBODY'], isGone);
    await expect(unfound.found()).rejects.toThrow('NOBODY');
    expect(unfound.pauses).toEqual([300, 300, 300]);
  },
);

it('a node that ends is gone, and one that cannot be reached is out of reach', async () => {
  expect(await node(['REFUSED'], false).found()).toBe('gone');
  await expect(node(['UNAVAILABLE'], false).found()).rejects.toThrow('UNAVAILABLE');
});
