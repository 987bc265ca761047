import fc from 'fast-check';
import { expect, it } from 'vitest';

import { bestDocuments } from './tool-index.js';

it('the best documents are those with the highest scores, the first of equal ones, as if all were sorted', () => {
  const scores = fc.array(fc.nat(20), { maxLength: 60 });
  fc.assert(
    fc.property(scores, fc.integer({ min: 1, max: 20 }), (all, limit) => {
      const counts = (document: number): boolean => document % 3 !== 0;
      const sorted = all
        .map((score, document) => ({ score, document }))
        .filter(({ score, document }) => score > 0 && counts(document))
        .toSorted((left, right) => right.score - left.score);
      expect(bestDocuments(Float64Array.from(all), limit, counts)).toEqual({
        documents: sorted.slice(0, limit).map(({ document }) => document),
        total: sorted.length,
      });
    }),
  );
});
