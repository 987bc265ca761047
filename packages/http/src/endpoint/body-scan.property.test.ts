import { anyText } from '@mcpmux/testing/any-text';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { propertyRuns } from '@mcpmux/testing/property-runs';

import { BodyScan, type BodyBounds } from './body-scan.js';

/** Returns the bound that the JSON in a whole body exceeds first, if any. */
function boundExceeded(json: Uint8Array, bounds: BodyBounds): keyof BodyBounds | undefined {
  return new BodyScan(bounds).read(json);
}

const NONE: BodyBounds = { levels: Infinity, values: Infinity, messages: Infinity };

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

/** The value, the values in it, and their keys. */
function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  const keys = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce((sum: number, each) => sum + valuesIn(each), 1 + keys);
}

const texts = fc.oneof(
  anyText(),
  fc.string({ unit: fc.constantFrom('"', '\\', '[', '{', ']', '}', ',', ':') }),
);
const values = fc.anything({ key: texts, values: [texts, fc.constant(null), fc.nat()], maxDepth: 6 });
const bodies = fc
  .tuple(values, fc.constantFrom(0, 1))
  .map(([value, indent]) => JSON.stringify(value, null, indent) as string | undefined)
  .filter((text) => text !== undefined);

it('a body is nested as deep as its value is, whatever stands in its texts', () => {
  fc.assert(
    fc.property(bodies, fc.nat(8), (text, levels) => {
      const isDeeper = boundExceeded(Buffer.from(text), { ...NONE, levels }) === 'levels';
      expect(isDeeper).toBe(depthOf(JSON.parse(text)) > levels);
    }),
    propertyRuns(500),
  );
});

it('I24: a body has as many values as would be built from it', () => {
  fc.assert(
    fc.property(bodies, (text) => {
      const count = valuesIn(JSON.parse(text));
      expect(boundExceeded(Buffer.from(text), { ...NONE, values: count })).toBeUndefined();
      expect(boundExceeded(Buffer.from(text), { ...NONE, values: count - 1 })).toBe('values');
    }),
    propertyRuns(500),
  );
});

it('I24: a batch has as many messages as its array has elements, and nothing else is a batch', () => {
  fc.assert(
    fc.property(bodies, fc.nat(4), (text, messages) => {
      const body: unknown = JSON.parse(text);
      const isTooLong = Array.isArray(body) && body.length > messages;
      expect(boundExceeded(Buffer.from(text), { ...NONE, messages }) === 'messages').toBe(isTooLong);
    }),
    propertyRuns(500),
  );
});

it('I24: a byte order mark before a batch hides no message', () => {
  expect(boundExceeded(Buffer.from('\uFEFF[1,2]'), { ...NONE, messages: 1 })).toBe('messages');
});

it('a body in parts is read as the whole one, wherever it was cut', () => {
  fc.assert(
    fc.property(bodies, fc.array(fc.nat(), { maxLength: 5 }), fc.nat(20), (text, cuts, bound) => {
      const body = Buffer.from(text);
      const bounds = { levels: 3, values: bound, messages: 2 };
      const scan = new BodyScan(bounds);
      const ends = [...cuts.map((cut) => cut % (body.length + 1)), body.length].toSorted((a, b) => a - b);
      const found = ends.map((end, index) => scan.read(body.subarray(ends[index - 1] ?? 0, end)));
      expect(found.find((each) => each !== undefined)).toBe(boundExceeded(body, bounds));
    }),
    propertyRuns(500),
  );
});

it('what is no JSON is read to its end', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 50 }), (bytes) => {
      expect(boundExceeded(bytes, { levels: 50, values: 100, messages: 50 })).toBeUndefined();
    }),
  );
});
