import fc from 'fast-check';

/** Generates JSON white space, usually an empty string. */
export const jsonSpace: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  fc.array(fc.constantFrom(' ', '\t', '\r', '\n'), { maxLength: 3 }).map((parts) => parts.join('')),
);

/** Generates numbers in every JSON form, including numbers that a double cannot represent. */
export const jsonNumber: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '0',
    '-0',
    '1.0',
    '1e400',
    '-1E-400',
    '12345678901234567890',
    '0.10',
    '1e+2',
    '9007199254740993',
  ),
  fc.stringMatching(/^-?(0|[1-9][0-9]{0,29})(\.[0-9]{1,30})?([eE][+-]?[0-9]{1,3})?$/),
);

// The parts of a string: raw characters of one to four bytes in UTF-8, and every kind of escape.
const ASCII_CHARACTERS = ['a', 'B', '0', ' ', '/', '{', '}', '[', ']', ':', ',', '\x7F'];
const NON_ASCII_CHARACTERS = ['é', '\u0085', '日', '\u2028', '\u2029', '\uFEFF', '\u{1F600}'];
const SHORT_ESCAPES = ['\\"', '\\\\', '\\/', '\\b', '\\f', '\\n', '\\r', '\\t'];
const LONG_ESCAPES = ['\\u0000', '\\u00e9', '\\uD83D\\uDE00', '\\uD800', '\\uFFFF'];
const STRING_PARTS = [...ASCII_CHARACTERS, ...NON_ASCII_CHARACTERS, ...SHORT_ESCAPES, ...LONG_ESCAPES];

/** Generates strings with their quotes. Some are so long that the reader skips them in WebAssembly. */
export const jsonString: fc.Arbitrary<string> = fc
  .oneof(
    { weight: 4, arbitrary: fc.array(fc.constantFrom(...STRING_PARTS), { maxLength: 12 }) },
    fc.array(fc.constantFrom(...STRING_PARTS), { minLength: 30, maxLength: 200 }),
  )
  .map((parts) => `"${parts.join('')}"`);

const jsonTree = fc.letrec<{ value: string; array: string; object: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('null', 'true', 'false'),
    jsonNumber,
    jsonString,
    tie('array'),
    tie('object'),
  ),
  array: fc
    .tuple(jsonSpace, fc.array(withSpaceAround(tie('value')), { maxLength: 5 }))
    .map(([space, elements]) => `[${elements.length === 0 ? space : elements.join(',')}]`),
  object: jsonObjectOf(jsonString, tie('value')),
}));

/** Generates the text of a JSON value of any type, with white space between tokens. */
export const jsonValue: fc.Arbitrary<string> = jsonTree.value;

/** Generates the text of a JSON object, which may contain duplicate keys. */
export const jsonObject: fc.Arbitrary<string> = jsonTree.object;

/** Generates objects from generators of keys and values. The generated keys include their quotes. */
export function jsonObjectOf(key: fc.Arbitrary<string>, value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const member = fc.tuple(withSpaceAround(key), withSpaceAround(value)).map((parts) => parts.join(':'));
  return fc
    .tuple(jsonSpace, fc.array(member, { maxLength: 6 }))
    .map(([space, members]) => `{${members.length === 0 ? space : members.join(',')}}`);
}

/** Generates a text with white space around it. */
export function withSpaceAround(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(jsonSpace, text, jsonSpace).map((parts) => parts.join(''));
}

/** Removes the white space between the tokens of a JSON text. */
export function withoutSpace(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return text.map((json) => json.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/gsu, '$1'));
}
