import fc from 'fast-check';

import { compact, jsonNumber, jsonString } from '@mcpmux/testing/arbitrary-json';

/** Where a value comes in the template of a row: no character of a key. */
const VALUE = '\u0001';

const word = fc.constantFrom('null', 'true', 'false');
/** Values as those of one column are: mostly of one type and alike, but also of others. */
const column: fc.Arbitrary<fc.Arbitrary<string>> = fc.constantFrom(
  fc.nat(99_999).map(String),
  fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })).map((n) => JSON.stringify(n)),
  fc.string({ maxLength: 40 }).map((text) => JSON.stringify(text)),
  fc.oneof(word, fc.constantFrom('"open"', '"closed"')),
  fc
    .array(fc.constantFrom('a', '\\n', '\\"', '\\\\'), { maxLength: 4 })
    .map((parts) => `"${parts.join('')}"`),
  fc.oneof(jsonNumber, jsonString, word),
);

const template = fc.letrec<{ value: string; array: string; object: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 5, arbitrary: fc.constant(VALUE) },
    tie('array'),
    tie('object'),
  ),
  array: fc.array(tie('value'), { maxLength: 3 }).map((elements) => `[${elements.join(',')}]`),
  object: fc
    .array(fc.tuple(jsonString, tie('value')), { minLength: 1, maxLength: 6 })
    .map((members) => `{${members.map(([key, value]) => `${key}:${value}`).join(',')}}`),
}));

/** Objects that are alike but for their values, as the elements of an array without white space. */
export const rows: fc.Arbitrary<readonly string[]> = compact(template.object).chain((row) => {
  const count = row.split(VALUE).length - 1;
  return fc.array(column, { minLength: count, maxLength: count }).chain((columns) => {
    const values = fc.tuple(...columns);
    const texts = values.map((row_) => filled(row, row_));
    // Columns are decided upon anew after 16, 32 and 64 rows.
    return fc.oneof(
      { weight: 9, arbitrary: fc.array(texts, { maxLength: 40 }) },
      fc.tuple(fc.array(texts, { minLength: 1, maxLength: 4 }), fc.nat(160)).map(repeatedAndOthers),
    );
  });
});

/** One that stays for a while, then others, then one of those that stays: what changes late. */
function repeatedAndOthers([texts, times]: [readonly string[], number]): readonly string[] {
  const [usual = '{}', ...others] = texts;
  return [
    ...Array<string>(times).fill(usual),
    ...others,
    ...Array<string>(times).fill(others[0] ?? usual),
    ...others,
  ];
}

function filled(row: string, values: readonly string[]): string {
  const [first = '', ...others] = row.split(VALUE);
  return others.reduce((text, fixed, index) => text + (values[index] ?? '') + fixed, first);
}
