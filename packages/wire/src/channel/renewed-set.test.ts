import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { RenewedSet } from './renewed-set.js';

const changes = fc.array(fc.tuple(fc.boolean(), fc.nat(40)), { maxLength: 400 });

describe('RenewedSet', () => {
  it('has the members that a Set would have, in the same order', () => {
    fc.assert(
      fc.property(changes, (steps) => {
        const [renewed, plain] = [new RenewedSet<number>(), new Set<number>()];
        for (const [isAdded, member] of steps) {
          if (isAdded) {
            renewed.add(member);
            plain.add(member);
          }
          const wasMember = isAdded || renewed.delete(member);
          expect(wasMember).toBe(isAdded || plain.delete(member));
          expect([renewed.size, renewed.has(member)]).toEqual([plain.size, plain.has(member)]);
        }
        expect([...renewed]).toEqual([...plain]);
      }),
    );
  });

  it('shows the members of the moment at which the look at them began', () => {
    const renewed = new RenewedSet<number>();
    for (const member of [1, 2, 3]) renewed.add(member);
    const seen: number[] = [];
    for (const member of renewed) {
      seen.push(member);
      renewed.delete(member);
      renewed.add(member + 10);
    }
    expect(seen).toEqual([1, 2, 3]);
    expect([...renewed]).toEqual([11, 12, 13]);
  });
});
