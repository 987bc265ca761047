import { describe, expect, it } from 'vitest';

import { FairMap } from './fair-map.js';

describe('a fair map', () => {
  it('forgets the oldest entries of an owner, and none of another', () => {
    const map = new FairMap<string, number>({ perOwner: 2, all: 10 });
    map.set('a1', 1, 'a');
    for (const key of ['b1', 'b2', 'b3']) map.set(key, 2, 'b');
    expect(['a1', 'b1', 'b2', 'b3'].map((key) => map.get(key))).toEqual([1, undefined, 2, 2]);
  });

  it('counts an entry that is set again once, as the newest, for the owner that it has then', () => {
    const map = new FairMap<string, number>({ perOwner: 2, all: 10 });
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

  it('is bounded over all owners: where they have too much together, the one with the most gives way', () => {
    const map = new FairMap<string, number>({ perOwner: 3, all: 5 });
    for (const key of ['a1', 'b1', 'b2', 'b3', 'c1', 'd1']) map.set(key, 1, key.charAt(0));
    expect(['a1', 'b1', 'b2', 'b3', 'c1', 'd1'].filter((key) => map.get(key) === undefined)).toEqual(['b1']);
    for (let owner = 0; owner < 1000; owner += 1) map.set(`owner ${owner}`, 1, String(owner));
    expect(map.values()).toHaveLength(5);
    expect(map.get('owner 999')).toBe(1);
  });

  it('counts an entry by its weight, and remembers one that is heavier than its owner may have', () => {
    const map = new FairMap<string, number>({ perOwner: 10, all: 20 });
    map.set('a1', 1, 'a', 4);
    map.set('a2', 2, 'a', 4);
    map.set('a3', 3, 'a', 4);
    expect(map.values()).toEqual([2, 3]);
    map.set('a4', 4, 'a', 1000);
    expect(map.values()).toEqual([4]);
    map.set('b1', 5, 'b', 10);
    map.set('c1', 6, 'c', 1);
    expect(map.values()).toEqual([5, 6]);
  });
});
