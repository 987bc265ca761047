import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { jsonNumber, jsonObjectOf, jsonString, withSpaceAround } from '@mcpmux/testing/arbitrary-json';
import { propertyRuns } from '@mcpmux/testing/property-runs';
import { EACH, valuePaths, valueSpans } from './value-spans.js';

const KEYS = ['a', 'b', '_meta', 'x/y', 'x.y'];

/** Values whose keys are mostly those of the paths, each at most once in an object. */
const tree = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(jsonNumber, jsonString, fc.constantFrom('null', '{}', '[ ]')),
    fc.array(withSpaceAround(tie('value')), { maxLength: 3 }).map((elements) => `[${elements.join(',')}]`),
    fc
      .uniqueArray(fc.tuple(fc.constantFrom(...KEYS), withSpaceAround(tie('value'))), {
        maxLength: 3,
        selector: ([key]) => key,
      })
      .map((members) => `{${members.map(([key, value]) => `"${key}" :${value}`).join(',')}}`),
  ),
})).value;

const path = fc.array(fc.constantFrom(...KEYS, EACH), { minLength: 1, maxLength: 4 });
const paths = fc.uniqueArray(path, { minLength: 1, maxLength: 5, selector: (keys) => keys.join('.') });

/** What a reader of objects finds at a path, in the order of the text. */
function valuesAt(value: unknown, [key, ...rest]: readonly string[]): readonly unknown[] {
  if (key === undefined) return [value];
  if (Array.isArray(value)) {
    return key === EACH ? value.flatMap((element: unknown) => valuesAt(element, rest)) : [];
  }
  return isRecord(value) && Object.hasOwn(value, key) ? valuesAt(value[key], rest) : [];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

describe('the values at paths', () => {
  it('are those that a reader of the parsed text finds there, at any depth', () => {
    fc.assert(
      fc.property(tree, paths, (json, wanted) => {
        const line = Buffer.from(`"é"${json}]`);
        const within = { start: 4, end: line.length - 1 };
        const spans = valueSpans(line, within, valuePaths(wanted));
        for (const keys of wanted) {
          const texts = spans
            .filter(({ path: at }) => at === keys.join('.'))
            .map(({ span }) => line.toString('utf8', span.start, span.end));
          const value: unknown = JSON.parse(json);
          expect(texts.map((text): unknown => JSON.parse(text))).toEqual(valuesAt(value, keys));
        }
      }),
      propertyRuns(100),
    );
  });

  it('are spans that never overlap in part, so that each can be replaced', () => {
    fc.assert(
      fc.property(jsonObjectOf(fc.constantFrom('"a"', '"b"'), tree), (json) => {
        const line = Buffer.from(json);
        const found = valueSpans(line, { start: 0, end: line.length }, valuePaths([['a'], ['b', EACH]]));
        const inOrder = found.map(({ span }) => span);
        for (const [index, span] of inOrder.entries()) {
          expect(span.start).toBeGreaterThanOrEqual(inOrder[index - 1]?.end ?? 0);
          expect(span.end).toBeGreaterThan(span.start);
        }
      }),
    );
  });
});
