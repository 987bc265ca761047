import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { splice, valuePaths, valueSpans } from '@mcpmux/wire';
import { prependEdit, lastMemberInsertion, lineWithoutMembers, removalEdits } from './members.js';

const KEYS = ['a', 'b.c', 'd', 'e/f'];
const TAKEN = KEYS.slice(0, 2);

/** An object with some of the keys, written with spaces of all kinds. */
const TEXTS = fc
  .tuple(fc.dictionary(fc.constantFrom(...KEYS), fc.jsonValue()), fc.constantFrom('', ' ', '\t', ' \r '))
  .map(([object, space]) => {
    const members = Object.entries(object).map(
      ([key, value]) => `${space}${JSON.stringify(key)}${space}:${space}${JSON.stringify(value)}${space}`,
    );
    return { object, text: `{${members.length === 0 ? space : members.join(',')}}` };
  });

function edited(line: Buffer, edits: Parameters<typeof splice>[1]): unknown {
  return JSON.parse(splice(line, edits).toString());
}

describe('members of an object', () => {
  it('are taken out, and the others stay as they are', () => {
    fc.assert(
      fc.property(TEXTS, ({ object, text }) => {
        const line = Buffer.from(text);
        const paths = valuePaths(TAKEN.map((key) => [key]));
        const spans = valueSpans(line, { start: 0, end: line.length }, paths).map(({ span }) => span);
        const left = Object.entries(object).filter(([key]) => !TAKEN.includes(key));
        expect(edited(line, removalEdits(line, spans))).toEqual(
          JSON.parse(JSON.stringify(Object.fromEntries(left))),
        );
      }),
    );
  });

  it('leave no empty object behind', () => {
    fc.assert(
      fc.property(TEXTS, ({ object, text }) => {
        const line = Buffer.from(`{"m":1,"_meta":${text},"n":2}`);
        const whole = { start: 0, end: line.length };
        const paths = valuePaths(TAKEN.map((key) => ['_meta', key]));
        const spans = valueSpans(line, whole, paths).map(({ span }) => span);
        const left = Object.entries(object).filter(([key]) => !TAKEN.includes(key));
        const isGone = spans.length > 0 && left.length === 0;
        const bare = JSON.parse(
          lineWithoutMembers(line, spans, valuePaths([['_meta']])).toString(),
        ) as unknown;
        expect(bare).toEqual(
          JSON.parse(JSON.stringify({ m: 1, ...(!isGone && { _meta: Object.fromEntries(left) }), n: 2 })),
        );
      }),
    );
  });

  it('are put in at the beginning or the end', () => {
    fc.assert(
      fc.property(TEXTS, ({ object, text }) => {
        const line = Buffer.from(text);
        const whole = { start: 0, end: line.length };
        const both = JSON.parse(JSON.stringify({ ...object, x: 1 })) as unknown;
        expect(edited(line, [prependEdit(line, whole, '"x":1')])).toEqual(both);
        expect(edited(line, [lastMemberInsertion(line, whole, '"x":1')])).toEqual(both);
      }),
    );
  });
});
