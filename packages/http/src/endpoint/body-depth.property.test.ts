import fc from 'fast-check';
import { expect, it } from 'vitest';

import { isDeeperThan } from './body-depth.js';

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('"', '\\', '[', '{', ']', '}') }),
);

it('a body is nested as deep as its value is, whatever stands in its texts', () => {
  const values = fc.anything({ key: texts, values: [texts, fc.constant(null), fc.nat()], maxDepth: 6 });
  fc.assert(
    fc.property(values, fc.nat(8), (value, levels) => {
      const text = JSON.stringify(value, null, levels % 2);
      fc.pre(text !== undefined);
      expect(isDeeperThan(levels, Buffer.from(text))).toBe(depthOf(JSON.parse(text)) > levels);
    }),
    { numRuns: 2000 },
  );
});

it('what is no JSON is read to its end', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 50 }), (bytes) => {
      expect(isDeeperThan(50, bytes)).toBe(false);
    }),
  );
});
