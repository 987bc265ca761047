import { describe, expect, it } from 'vitest';

import { BoundedMap } from './bounded-map.js';

describe('a bounded map', () => {
  it('forgets what was put into it first', () => {
    const map = new BoundedMap<string, number>(2);
    for (const [index, key] of ['a', 'b', 'c'].entries()) map.set(key, index);
    expect(['a', 'b', 'c'].map((key) => map.get(key))).toEqual([undefined, 1, 2]);
  });

  it('takes what is put again for new, and grows by nothing', () => {
    const map = new BoundedMap<string, number>(2);
    for (const key of ['a', 'b', 'a', 'c']) map.set(key, 0);
    expect(['a', 'b', 'c'].map((key) => map.get(key))).toEqual([0, undefined, 0]);
  });

  it('remembers fewer entries the longer their texts are, and the newest always', () => {
    const map = new BoundedMap<string, Buffer>(4);
    const keyOf = (index: number): string => String(index).padEnd(3000, 'x');
    for (let index = 0; index < 10; index += 1) map.set(keyOf(index), Buffer.alloc(3000));
    expect([6, 7, 8, 9].map((index) => map.get(keyOf(index))?.length)).toEqual([
      undefined,
      undefined,
      3000,
      3000,
    ]);
    map.set('large', Buffer.alloc(1e6));
    expect(map.get('large')).toBeDefined();
    map.deleteWhere(() => true);
    for (const key of ['a', 'b', 'c', 'd']) map.set(key, Buffer.alloc(1));
    expect(map.get('a')).toBeDefined();
  });
});
