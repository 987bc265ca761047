import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { brokenMessage, messageWithIds } from '../testing/arbitrary-ids.js';
import { membersFromEnd } from './members-from-end.js';

function idsIn(text: string): readonly string[] {
  const bytes = Buffer.from(text);
  return membersFromEnd(bytes).ids.map(({ start, end }) => bytes.toString('utf8', start, end));
}

describe('membersFromEnd', () => {
  it.each(['7', '"a"', '"a\\"id\\":1"', 'null', '-1.5', '{"id":1}', '["id"]'])('finds the id %s', (id) => {
    expect(idsIn(`xxx"}},"jsonrpc":"2.0","id":${id}}`)).toEqual([id]);
    expect(idsIn(`2]] , "i\\u0064" : ${id} , "x" : {"a":[1]} } \r`)).toEqual([id]);
    expect(idsIn(`},"id":${id}\t} `)).toEqual([id]);
  });

  it('passes over ids that are nested, and over values that read "id"', () => {
    expect(idsIn('},"id":1}],"b":{"id":2}},"a":"id","c":{"id":[{"id":3}]},"method":"id"}')).toEqual([]);
    expect(idsIn('"id":1},"id":2,"b":{"id":3}}')).toEqual(['2']);
  });

  it('is not misled by brackets and quotes in strings', () => {
    expect(idsIn('x","a":"{[\\"}","id":4,"b\\\\":"\\\\\\"{","c":"\\"id\\":5"}')).toEqual(['4']);
  });

  it('finds two that differ and no more, the last one first', () => {
    expect(idsIn('"x":{},"id":3,"id":1,"id":2,"id":2}')).toEqual(['2', '1']);
  });

  it('does not look behind the begin of the object', () => {
    expect(idsIn('{"id":1},{"x":2}')).toEqual([]);
    expect(idsIn('"id":1,{"id":2}')).toEqual(['2']);
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
    expect(idsIn(text)).toEqual([]);
  });

  it('finds those that stand behind any cut, and no other', () => {
    fc.assert(
      fc.property(messageWithIds, fc.nat(), ({ text, ids }, place) => {
        const line = Buffer.from(text);
        const cut = place % line.length;
        const behind = ids.filter(({ key }) => key > cut).map(({ value }) => value);
        const found = [...new Set(behind.toReversed())].slice(0, 2);
        expect(idsIn(line.subarray(cut).toString('latin1'))).toEqual(found);
      }),
      { numRuns: 2000 },
    );
  });

  it('takes any text', () => {
    fc.assert(
      fc.property(brokenMessage, (text) => {
        expect(membersFromEnd(Buffer.from(text)).ids.length).toBeLessThan(3);
      }),
      { numRuns: 5000 },
    );
  });

  it.each([
    ['"x"},"method":"m","id":1}', true],
    ['"x"},"\\u006dethod":"m"}', true],
    ['"x":{"method":"m"},"y":"method"}', false],
    ['method":"m"}', false],
  ])('tells of %s whether it has a method', (text, hasMethod) => {
    expect(membersFromEnd(Buffer.from(text)).hasMethod).toBe(hasMethod);
  });
});
