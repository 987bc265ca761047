import { describe, expect, it } from 'vitest';

import { FairMap } from './fair-map.js';

describe('a fair map', () => {
  it('forgets the oldest entries of an owner, and none of another', () => {
    const map = new FairMap<string, number>(2);
    map.set('a1', 1, 'a');
    for (const key of ['b1', 'b2', 'b3']) map.set(key, 2, 'b');
    expect(['a1', 'b1', 'b2', 'b3'].map((key) => map.get(key))).toEqual([1, undefined, 2, 2]);
  });

  it('counts an entry that is set again once, as the newest, for the owner that it has then', () => {
    const map = new FairMap<string, number>(2);
    map.set('x', 1, 'a');
    map.set('y', 1, 'a');
    map.set('x', 2, 'a');
    map.set('z', 1, 'a');
    map.set('x', 3, 'b');
    map.set('w', 1, 'a');
    expect(map.values()).toEqual([1, 3, 1]);
    map.deleteWhere((key) => key !== 'x');
    expect(map.values()).toEqual([3]);
  });
});
