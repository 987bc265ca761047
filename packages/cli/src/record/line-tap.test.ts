import fc from 'fast-check';
import { expect, it } from 'vitest';

import { LineTap } from './line-tap.js';

it('lines are whole, however the stream is cut, and one above the bound is only counted', () => {
  const texts = fc.array(fc.string({ unit: fc.constantFrom('a', 'é'), maxLength: 12 }));
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 9 }), (lines, size) => {
      const found: (string | undefined)[] = [];
      const tap = new LineTap((line) => found.push(line?.toString()), 10);
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
      for (let at = 0; at < bytes.length; at += size) tap.write(bytes.subarray(at, at + size));
      tap.end();
      expect(found).toEqual(lines.map((line) => (Buffer.byteLength(line) > 10 ? undefined : line)));
    }),
  );
});

it('the last line may have no end', () => {
  const found: (string | undefined)[] = [];
  const tap = new LineTap((line) => found.push(line?.toString()));
  tap.write(Buffer.from('a\nb'));
  tap.end();
  expect(found).toEqual(['a', 'b']);
});
