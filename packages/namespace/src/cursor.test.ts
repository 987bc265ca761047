import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { decodeCursor, encodeCursor } from './cursor.js';
import { anyText } from './testing/arbitrary-names.js';

describe('a cursor', () => {
  it('A4: leads back to its position, whatever the entry is called', () => {
    fc.assert(
      fc.property(anyText, fc.maxSafeNat(), anyText, fc.maxSafeNat(), (list, place, key, offset) => {
        const cursor = encodeCursor({ list, place, key, offset });
        expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(decodeCursor(cursor)).toEqual({ list, place, key, offset });
      }),
    );
  });

  it.each([
    ['nothing', ''],
    ['a text of another server', 'page 2'],
    ['no JSON', btoa('hello')],
    ['another JSON', btoa('{"page":2}')],
    ['another version', btoa('[2,"tools",0,"a",0]')],
    ['a place that is no integer', btoa('[1,"tools",0.5,"a",0]')],
    ['too much', btoa('[1,"tools",0,"a",0,1]')],
    ['no UTF-8', btoa('[1,"tools",0,"\xff",0]')],
  ])('A4, D14: is none of mcpmux: %s', (_, cursor) => {
    expect(decodeCursor(cursor.replaceAll('=', ''))).toBeUndefined();
  });

  it('A4: is decoded without an error, whatever the text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(() => decodeCursor(text)).not.toThrow();
      }),
    );
  });
});
