import fc from 'fast-check';

import { jsonString, jsonValue, spaced } from '@mcpmux/testing/arbitrary-json';

/** A member of a message: where its key begins there (with its quote), its colon stands and its value ends. */
export interface PlacedMember {
  readonly name: 'id' | 'method' | 'params';
  readonly key: number;
  readonly colon: number;
  readonly value: string;
  readonly end: number;
}

const KEYS = [
  ['id', /^\s*"(?:i|\\u0069)(?:d|\\u0064)"\s*$/],
  ['method', /^\s*"(?:m|\\u006d)ethod"\s*$/],
  ['params', /^\s*"params"\s*$/],
] as const;
const key = fc.oneof(
  jsonString,
  fc.constantFrom('"id"', '"\\u0069d"', '"params"', '"Id"', '"x\\"id"', '"method"', '"\\u006dethod"'),
);
const inner = fc.constantFrom(
  '{"id":1}',
  '{"a":{"id":2},"method":"x","id":3}',
  '"id"',
  '"method"',
  '"\\"id\\":4"',
  '[{"id":5}]',
);
const member = fc.tuple(spaced(key), spaced(fc.oneof(jsonValue, inner, fc.nat().map(String))));

/**
 * The text of an object in ASCII, with its own ids, methods and params in their order. There may be none or several; others stand in
 * its values.
 */
export const messageWithIds: fc.Arbitrary<{
  readonly text: string;
  readonly members: readonly PlacedMember[];
}> = fc
  .array(
    member.map(([name, value]) => [toAscii(name), toAscii(value)] as const),
    { maxLength: 6 },
  )
  .map((pairs) => {
    const members: PlacedMember[] = [];
    const parts: string[] = [];
    let at = 1;
    for (const [name, value] of pairs) {
      const known = KEYS.find(([, pattern]) => pattern.test(name))?.[0];
      const colon = at + name.length;
      const end = colon + 1 + value.trimEnd().length;
      if (known !== undefined)
        members.push({ name: known, key: colon - name.trimStart().length, colon, value: value.trim(), end });
      parts.push(`${name}:${value}`);
      at += `${name}:${value},`.length;
    }
    return { text: `{${parts.join(',')}}`, members };
  });

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

/** So that bytes and characters are counted alike. */
function toAscii(text: string): string {
  return text.replaceAll(/[^\0-\x7F]/g, 'u');
}
