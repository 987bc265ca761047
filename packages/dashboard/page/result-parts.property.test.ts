import fc from 'fast-check';
import { expect, it } from 'vitest';

import { partsOf } from './result-parts.js';

/** JSON with the words of results in all places where they mean something, and in those where they mean nothing. */
const WORDS = [
  'content',
  'messages',
  'contents',
  'type',
  'text',
  'role',
  'resource',
  'data',
  'mimeType',
  'uri',
  'blob',
];
const KINDS = ['text', 'image', 'audio', 'resource', 'resource_link', 'tool_use', 'image/png'];

const { value: json } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<unknown>(...KINDS, null, true, 7, ''),
    fc.string(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...WORDS), fc.string()), tie('value'), { maxKeys: 5 }),
  ),
}));

it('any result has parts, and every text of them is a text', () => {
  const result = fc.dictionary(fc.oneof(fc.constantFrom(...WORDS, 'description'), fc.string()), json);
  fc.assert(
    fc.property(result, (value) => {
      const members = partsOf(value).flatMap((part) => Object.entries(part));
      const odd = members.filter(([name, member]) =>
        name === 'bytes' ? !Number.isSafeInteger(member) : typeof member !== 'string',
      );
      expect(odd).toEqual([]);
    }),
    { numRuns: 1000 },
  );
});

it('each member of a list of blocks, messages or contents has a part', () => {
  fc.assert(
    fc.property(fc.constantFrom('content', 'contents'), fc.array(json), (name, list) => {
      expect(partsOf({ [name]: list })).toHaveLength(list.length);
    }),
  );
});
