import fc from 'fast-check';

import { jsonString, jsonValue, spaced } from './arbitrary-json.js';

/** An id of a message, and where its key begins there (with its quote) and its value ends. */
export interface PlacedId {
  readonly key: number;
  readonly value: string;
  readonly end: number;
}

const ID_KEY = /^\s*"(?:i|\\u0069)(?:d|\\u0064)"\s*$/;
const key = fc.oneof(jsonString, fc.constantFrom('"id"', '"\\u0069d"', '"params"', '"Id"', '"x\\"id"'));
const inner = fc.constantFrom('{"id":1}', '{"a":{"id":2},"id":3}', '"id"', '"\\"id\\":4"', '[{"id":5}]');
const member = fc.tuple(spaced(key), spaced(fc.oneof(jsonValue, inner, fc.nat().map(String))));

/** The text of an object in ASCII, with its own ids in their order. There may be none or several; others stand in its values. */
export const messageWithIds: fc.Arbitrary<{ readonly text: string; readonly ids: readonly PlacedId[] }> = fc
  .array(
    member.map(([name, value]) => [toAscii(name), toAscii(value)] as const),
    { maxLength: 6 },
  )
  .map((members) => {
    const ids: PlacedId[] = [];
    const parts: string[] = [];
    let at = 1;
    for (const [name, value] of members) {
      const end = at + `${name}:${value.trimEnd()}`.length;
      if (ID_KEY.test(name))
        ids.push({ key: at + name.length - name.trimStart().length, value: value.trim(), end });
      parts.push(`${name}:${value}`);
      at += `${name}:${value},`.length;
    }
    return { text: `{${parts.join(',')}}`, ids };
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
