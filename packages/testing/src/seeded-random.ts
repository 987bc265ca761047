/** Random choices that are the same for the same seed. */
export interface SeededRandom {
  /** Returns an integer from 0 to `limit` - 1. */
  integerBelow(limit: number): number;
  pick<Item>(items: readonly Item[]): Item;
}

/** Returns a generator of random choices (Mulberry32). */
export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const integerBelow = (limit: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
  return {
    integerBelow,
    pick: (items) => {
      const item = items[integerBelow(items.length)];
      if (item === undefined) throw new TypeError('there is nothing to choose from');
      return item;
    },
  };
}
