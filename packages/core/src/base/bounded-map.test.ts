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
});
