import fc from 'fast-check';

import { jsonString, jsonValue, withSpaceAround } from '@mcpmux/testing/arbitrary-json';

/** A member of a message itself, with the text of its value. */
export interface OwnMember {
  readonly name: 'id' | 'method' | 'params' | 'result';
  readonly value: string;
}

const KEYS = [
  ['id', /^\s*"(?:i|\\u0069)(?:d|\\u0064)"\s*$/],
  ['method', /^\s*"(?:m|\\u006d)ethod"\s*$/],
  ['params', /^\s*"params"\s*$/],
  ['result', /^\s*"result"\s*$/],
] as const;
const key = fc.oneof(
  jsonString,
  fc.constantFrom(
    '"id"',
    '"id"',
    '"\\u0069d"',
    '"params"',
    '"result"',
    '"Id"',
    '"x\\"id"',
    '"method"',
    '"\\u006dethod"',
  ),
);
const inner = fc.constantFrom(
  '{"id":1}',
  '{"a":{"id":2},"method":"x","id":3}',
  '"id"',
  '"method"',
  '"\\"id\\":4"',
  '[{"id":5}]',
);
const member = fc.tuple(
  withSpaceAround(key),
  withSpaceAround(fc.oneof(jsonValue, inner, fc.nat().map(String))),
);

/** The text of an object with its own ids, methods, params and results. There may be none or several; others stand in its values. */
export const messageWithIds: fc.Arbitrary<{ readonly text: string; readonly members: readonly OwnMember[] }> =
  fc.array(member, { maxLength: 6 }).map((pairs) => ({
    text: `{${pairs.map(([name, value]) => `${name}:${value}`).join(',')}}`,
    members: pairs.flatMap(([name, value]) => {
      const known = KEYS.find(([, pattern]) => pattern.test(name))?.[0];
      return known === undefined ? [] : [{ name: known, value: value.trim() }];
    }),
  }));

const scrap = fc.constantFrom(
  '"',
  '\\',
  '{',
  '}',
  '[',
  ']',
  ':',
  ',',
  '"id":',
  '"\\x":',
  '"\\u00',
  '1',
  'tru',
  '\0',
  '\n',
  ' ',
);

/** A text of scraps of messages, which is mostly no JSON at all. */
export const brokenMessage: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('', '{', ' {"a":'),
    fc.array(scrap, { maxLength: 30 }),
    fc.constantFrom('', '}', '"} '),
  )
  .map(([begin, scraps, end]) => `${begin}${scraps.join('')}${end}`);
