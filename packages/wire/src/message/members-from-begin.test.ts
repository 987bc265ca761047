import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { brokenMessage, messageWithIds } from '../testing/arbitrary-ids.js';
import { jsonObjectOf, jsonString, jsonValue, spaced } from '@mcpmux/testing/arbitrary-json';
import { membersInParts, textsOf } from '../testing/members-in-parts.js';
import { membersFromBegin } from './members-from-begin.js';
import { readMessage } from './message-reader.js';
import { NO_MEMBERS } from './own-members.js';

const DEEP = '['.repeat(5000) + ']'.repeat(5000);

function idIn(text: string): string | undefined {
  return textsOf(membersFromBegin(Buffer.from(text)) ?? NO_MEMBERS).id;
}

describe('the members of an object, from its begin', () => {
  it.each(['7', '"a"', '"a\\"id\\":1"', 'null', '1.5', '{"id":1}', '[]'])(
    'finds the id %s behind deep params',
    (id) => {
      expect(idIn(`{"method":"x","params":{"a":${DEEP}},"jsonrpc":"2.0","id":${id}}`)).toBe(id);
      expect(idIn(` { "params" : ${DEEP} , "\\u0069d" : ${id} } `)).toBe(id);
    },
  );

  it('passes over ids that are nested, and over values that read "id"', () => {
    expect(idIn(`{"params":{"id":1,"a":[{"id":2}],"b":${DEEP}},"method":"id","x":"id","id":3}`)).toBe('3');
    expect(idIn(`{"params":{"id":1,"a":${DEEP}},"method":"id"}`)).toBeUndefined();
  });

  it('is not misled by brackets and quotes in strings', () => {
    expect(idIn(`{"a":"}]\\"{","b":${DEEP},"c}":"\\\\","id":4}`)).toBe('4');
  });

  it.each([
    ['no object', DEEP],
    ['an array in which a string stands before a colon', `["id":1,${DEEP}]`],
    ['a text that ends in a string', `{"a":${DEEP},"id`],
    ['a text that ends before the id', `{"a":${DEEP},"id":`],
    ['a text that ends in the id', `{"a":${DEEP},"id":12`],
    ['a broken id', `{"a":${DEEP},"id":tru}`],
    ['a raw control character in a string', `{"a":${DEEP},"b":"\0","id":1}`],
    ['a text that is cut off', `{"a":${DEEP.slice(0, 7000)},"id":1}`],
    ['an empty text', ''],
  ])('finds nothing in %s', (_, text) => {
    expect(idIn(text)).toBeUndefined();
  });

  it('are no single id when there are several that differ, before or behind what is deep', () => {
    expect(idIn(`{"id":1,"a":${DEEP},"id":2}`)).toBeUndefined();
    expect(idIn(`{"a":${DEEP},"id":1,"\\u0069d":2}`)).toBeUndefined();
    expect(idIn(`{"id":1,"id":"1"}`)).toBeUndefined();
    expect(idIn(`{"id":1,"a":${DEEP},"id":1}`)).toBe('1');
  });

  it.each([
    ['{"id":1,"method":"m","params":', true],
    ['{"jsonrpc":"2.0","id":1,"\\u006dethod":"m"', true],
    ['{"method":', true],
    ['{"method":"m', true],
    ['{"method": ', true],
    ['{"method"', false],
    ['{"id":1,"params":{"a', true],
    ['{"id":1,"params":[1]}', true],
    ['{"id":1,"params":', true],
    ['{"id":1,"params":null,"result":1', false],
    ['{"method":null', false],
    ['{"method":5,"id":1}', false],
    ['{"result":{"method":"m"},"x":"method"', false],
  ])('tell of %s whether it has a method', (text, hasMethod) => {
    expect(membersFromBegin(Buffer.from(text))?.hasMethod).toBe(hasMethod);
  });

  it('does not look behind the end of the object', () => {
    expect(idIn(`{"id":1,"a":${DEEP}},{"id":2}`)).toBe('1');
  });

  it('agrees with JSON.parse about every object', () => {
    const member = spaced(jsonObjectOf(jsonString, jsonValue).map((text) => text.trim().slice(1, -1)));
    fc.assert(
      fc.property(member, spaced(jsonValue), (before, id) => {
        fc.pre(!/"(i|\\u0069)d"/.test(before));
        const text = `{${before.trim() === '' ? '' : `${before},`}"id":${id}}`;
        expect(JSON.parse(idIn(text) ?? 'undefined')).toEqual((JSON.parse(text) as { id: unknown }).id);
      }),
      { numRuns: 500 },
    );
  });
});

describe('membersFromBegin', () => {
  it('finds what stands before any cut', () => {
    fc.assert(
      fc.property(messageWithIds, fc.nat(), ({ text, members }, place) => {
        const head = 1 + (place % text.length);
        const found = membersFromBegin(Buffer.from(text.slice(0, head)));
        expect(found && textsOf(found)).toEqual(membersInParts(members, { head }));
      }),
      { numRuns: 2000 },
    );
  });

  it('finds the same of a message that breaks off', () => {
    fc.assert(
      fc.property(messageWithIds, fc.nat(), ({ text, members }, place) => {
        const head = 1 + (place % (text.length - 1));
        const message = readMessage(Buffer.from(text.slice(0, head)), []);
        const own = message.kind === 'malformed' && textsOf(message.own);
        expect(own).toEqual(membersInParts(members, { head }));
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['of which more may stand behind the cut', '{"id":12'],
    ['that begins behind the cut', '{"id":'],
    ['that goes on behind the cut', '{"id":["'],
    ['that is no JSON', '{"id":2x,"a":1}'],
    ['that begins with a zero', '{"id":02,"a":1}'],
    ['that nests too deeply', `{"id":${DEEP},"a":1}`],
    ['beside another one', '{"id":1,"id":2}'],
    ['beside one that is no JSON', '{"id":1,"id":tru}'],
  ])('cannot tell an id %s', (_, text) => {
    expect(textsOf(membersFromBegin(Buffer.from(text)) ?? NO_MEMBERS)).toEqual({
      id: undefined,
      isIdUnclear: true,
      hasMethod: false,
    });
  });

  it('finds the method behind an id that is no JSON', () => {
    expect(membersFromBegin(Buffer.from('{"id":tru,"method":"m"}'))).toMatchObject({ hasMethod: true });
  });

  it.each(['', ' ', '[{"id":1}]', '"id"', '\v{"id":1}'])('finds nothing in %j', (text) => {
    expect(membersFromBegin(Buffer.from(text))).toBeUndefined();
  });

  it('takes any text', () => {
    fc.assert(
      fc.property(brokenMessage, (text) => {
        expect(() => membersFromBegin(Buffer.from(text))).not.toThrow();
      }),
      { numRuns: 5000 },
    );
  });
});
