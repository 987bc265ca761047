import fc from 'fast-check';
import { expect, it } from 'vitest';

import { MIN_FIRST_PART_BYTES, joinShortParts, partsLength } from './line-parts.js';

it('a text is the same in parts, which are few and long where there are several', () => {
  const part = fc
    .oneof(fc.nat(100), fc.integer({ min: 3000, max: 9000 }))
    .map((size) => Buffer.alloc(size, 'x'));
  fc.assert(
    fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
      const few = joinShortParts(parts);
      expect(Buffer.concat(few).equals(Buffer.concat(parts))).toBe(true);
      if (few.length < 2) return;
      expect(few.length * 4096).toBeLessThanOrEqual(partsLength(few));
      expect(few[0]?.length).toBeGreaterThanOrEqual(MIN_FIRST_PART_BYTES);
    }),
  );
});
