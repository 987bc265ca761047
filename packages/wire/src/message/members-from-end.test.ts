import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { brokenMessage, messageWithIds } from '../testing/arbitrary-ids.js';
import { membersInParts, textsOf } from '../testing/members-in-parts.js';
import { membersFromEnd } from './members-from-end.js';

function idIn(text: string): string | undefined {
  return textsOf(membersFromEnd(Buffer.from(text))).id;
}

describe('membersFromEnd', () => {
  it.each(['7', '"a"', '"a\\"id\\":1"', 'null', '-1.5', '{"id":1}', '["id"]'])('finds the id %s', (id) => {
    expect(idIn(`xxx"}},"jsonrpc":"2.0","id":${id}}`)).toBe(id);
    expect(idIn(`2]] , "i\\u0064" : ${id} , "x" : {"a":[1]} } \r`)).toBe(id);
    expect(idIn(`},"id":${id}\t} `)).toBe(id);
  });

  it('passes over ids that are nested, and over values that read "id"', () => {
    expect(idIn('},"id":1}],"b":{"id":2}},"a":"id","c":{"id":[{"id":3}]},"method":"id"}')).toBeUndefined();
    expect(idIn('"id":1},"id":2,"b":{"id":3}}')).toBe('2');
  });

  it('is not misled by brackets and quotes in strings', () => {
    expect(idIn('x","a":"{[\\"}","id":4,"b\\\\":"\\\\\\"{","c":"\\"id\\":5"}')).toBe('4');
  });

  it('cannot tell the id when there are two that differ', () => {
    expect(membersFromEnd(Buffer.from('"x":{},"id":1,"id":2}'))).toMatchObject({ isIdUnclear: true });
    expect(idIn('"x":{},"id":2,"id":2}')).toBe('2');
  });

  it('does not look behind the begin of the object', () => {
    expect(idIn('{"id":1},{"x":2}')).toBeUndefined();
    expect(idIn('"id":1,{"id":2}')).toBe('2');
  });

  it.each([
    ['an object that is cut', '"x":1,"id":7'],
    ['an array', '"x":1,"id":7}]'],
    ['an array in which a string stands before a colon', '"x":1,"id":7]'],
    ['a text that begins in the id', '7,"x":1}'],
    ['a text that begins in the key of the id', 'd":7,"x":1}'],
    ['a text that begins with the key of the id, whose quote may have been escaped', '"id":7,"x":1}'],
    ['a text that begins with backslashes before that quote', '\\\\"id":7,"x":1}'],
    ['a broken id', '"x":1,"id":tru}'],
    ['an object in which a key is no JSON', 'x","id":7,"\\x":1}'],
    ['an id without its colon', '"x":1,"id"7}'],
    ['white space', ' \r\n'],
    ['an empty text', ''],
  ])('finds nothing in %s', (_, text) => {
    expect(idIn(text)).toBeUndefined();
  });

  it('finds what stands behind any cut', () => {
    fc.assert(
      fc.property(messageWithIds, fc.nat(), ({ text, members }, place) => {
        const tail = place % text.length;
        const found = membersFromEnd(Buffer.from(text.slice(tail)));
        expect(textsOf(found)).toEqual(membersInParts(members, { head: 0, tail }));
      }),
      { numRuns: 2000 },
    );
  });

  it('takes any text', () => {
    fc.assert(
      fc.property(brokenMessage, (text) => {
        expect(() => membersFromEnd(Buffer.from(text))).not.toThrow();
      }),
      { numRuns: 5000 },
    );
  });

  it.each([
    ['"x"},"method":"m","id":1}', true],
    ['"x"},"\\u006dethod":"m"}', true],
    ['"x":{"method":"m"},"y":"method"}', false],
    ['"x":1,"method":null}', false],
    ['method":"m"}', false],
  ])('tells of %s whether it has a method', (text, hasMethod) => {
    expect(membersFromEnd(Buffer.from(text)).hasMethod).toBe(hasMethod);
  });
});
