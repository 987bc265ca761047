import { describe, expect, it } from 'vitest';

import { paramsOf } from './params.js';

describe('paramsOf', () => {
  it('gives the params of a request as values', () => {
    expect(
      paramsOf(Buffer.from('{"method":"x","params":{"name":"a","arguments":{"b":[1]}},"id":1}')),
    ).toEqual({
      name: 'a',
      arguments: { b: [1] },
    });
  });

  it.each([
    '{"id":1}',
    '{"params":null}',
    '{"params":[1]}',
    '{"params":"x"}',
    '{"params":1}',
    '[{"params":{}}]',
    '1',
  ])('gives no params for %s', (line) => {
    expect(paramsOf(Buffer.from(line))).toEqual({});
  });

  it('B24: keeps "__proto__" a key like any other', () => {
    const params = paramsOf(Buffer.from('{"params":{"__proto__":{"polluted":true}}}'));
    expect(Object.keys(params)).toEqual(['__proto__']);
    expect('polluted' in params).toBe(false);
  });
});
