import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { messageWithIds } from '../testing/arbitrary-ids.js';
import { idFromEnd, idsFromEnd } from './ids-from-end.js';

function idsIn(text: string): readonly string[] {
  const bytes = Buffer.from(text);
  return idsFromEnd(bytes).map(({ start, end }) => bytes.toString('utf8', start, end));
}

describe('idsFromEnd', () => {
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

  it('finds each that stands there, the last one first', () => {
    expect(idsIn('"x":{},"id":1,"id":2}')).toEqual(['2', '1']);
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
        expect(idsIn(line.subarray(cut).toString('latin1'))).toEqual(behind.toReversed());
      }),
      { numRuns: 2000 },
    );
  });
});

describe('idFromEnd', () => {
  it('is the only one there', () => {
    expect(idFromEnd(Buffer.from('},"id":1}'))).toEqual({ start: 7, end: 8 });
    expect(idFromEnd(Buffer.from('},"id":1,"id":1}'))).toBeUndefined();
    expect(idFromEnd(Buffer.from('}}'))).toBeUndefined();
  });
});
