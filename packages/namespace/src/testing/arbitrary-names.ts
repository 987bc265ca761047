import fc from 'fast-check';

import { isServerName, parseServerName, type ServerName } from '../server-name.js';

// characters that the rules speak of, and some of every kind that they do not
const PLAIN = ['_', '__', '-', '.', ' ', 'a', 'A', '0', 'ｇ', '日', 'é', 'e\u0301', '\u{1F600}', '\u200D'];
const REFUSED = [
  '\0',
  '\t',
  '\n',
  '\u007F',
  '\u0085',
  '\u00A0',
  '\u2028',
  '\u202E',
  '\u2066',
  '\uD800',
  '\uDC00',
];

/** Any sequence of UTF-16 code units, lone surrogates included. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.array(fc.constantFrom(...PLAIN, ...REFUSED), { maxLength: 12 }).map((pieces) => pieces.join('')),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 80 })
    .map((units) => String.fromCharCode(...units)),
  fc.string({ unit: 'grapheme', maxLength: 80 }),
);

/** Text in which every surrogate has its partner: what UTF-8, and so a digest, can tell apart. */
export const wellFormedText: fc.Arbitrary<string> = anyText.filter((text) => !/\p{Surrogate}/u.test(text));

/** Legal server names, Unicode and the shortest and longest included. */
export const serverName: fc.Arbitrary<ServerName> = fc
  .oneof(
    { weight: 3, arbitrary: fc.stringMatching(/^[A-Za-z0-9-]{1,20}(_[a-z0-9]{1,8}){0,3}$/) },
    fc.stringMatching(/^_?[a-z-]{60,63}$/),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
  )
  .filter(isServerName)
  .map((name) => parseServerName(name));
