import { PassThrough } from 'node:stream';

import { ClusterError, type ClusterErrorCode } from '@mcpmux/core/cluster';
import { expect, it } from 'vitest';

import { frontOf } from './front-of.js';

/** A node that fails with these codes first, and then answers. */
function node(codes: readonly ClusterErrorCode[], isAlive: boolean) {
  const left = [...codes];
  const pauses: number[] = [];
  const front = new PassThrough();
  const open = async () => {
    const code = left.shift();
    if (code !== undefined) throw new ClusterError(code, code);
    return Promise.resolve(front);
  };
  const pause = (ms: number): Promise<void> => Promise.resolve(void pauses.push(ms));
  return { front, pauses, found: () => frontOf({ open, isAlive: () => isAlive, pause }) };
}

it('a node that nobody has heard of for seconds is gone at once', async () => {
  const { found, pauses } = node(['NOBODY'], false);
  expect(await found()).toBe('gone');
  expect(pauses).toEqual([]);
});

it('a node that was there just now gets another second, and is out of reach then, not gone', async () => {
  const { found, front } = node(['NOBODY', 'NOBODY'], true);
  expect(await found()).toBe(front);
  const dead = node(['NOBODY', 'NOBODY', 'NOBODY', 'NOBODY'], true);
  await expect(dead.found()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(dead.pauses).toEqual([300, 300, 300]);
});

it('a node that ends is gone, and one that cannot be reached is out of reach', async () => {
  expect(await node(['REFUSED'], true).found()).toBe('gone');
  await expect(node(['UNAVAILABLE'], true).found()).rejects.toThrow('UNAVAILABLE');
});
