import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { recoverIds } from './recover-id.js';

const pending = (...ids: number[]) => {
  const set = new Set(ids);
  return (id: number) => set.has(id);
};

describe('recoverIds', () => {
  it.each([
    ['a line with noise in front', 'warning: {"jsonrpc":"2.0","id":7,"result":{}}'],
    ['a line with a raw control character', '{"id":7,"result":"\0"}'],
    ['white space', '{"result":1, "id" : 7 }'],
    ['a line without its beginning', 'xxx"}]},"jsonrpc":"2.0","id":7}'],
    ['a line without its end', '{"jsonrpc":"2.0","id":7,"result":{"content":[{"te'],
    ['two responses that ran into each other', '{"id":7,"res{"id":8,"result":1}'],
    ['the same id again', '{"id":7,"result":{"id":7}}'],
  ])('B6, B11: finds the pending id in %s', (_, text) => {
    expect(recoverIds(text, pending(7, 70))).toEqual(new Set([7]));
  });

  it('passes over ids that nobody waits for', () => {
    expect(recoverIds('{"result":{"rows":[{"id":1},{"id":2}]},"id":7}', pending(7))).toEqual(new Set([7]));
  });

  it('finds every one of several', () => {
    expect(recoverIds('{"id":7,"result":{"id":8}}', pending(7, 8))).toEqual(new Set([7, 8]));
  });

  it.each([
    ['nobody waits for it', '{"id":8}'],
    ['it is a string', '{"id":"7"}'],
    ['it is cut off', '{"result":1,"id":7'],
    ['it is cut off in front', 'd":7,"result":1}'],
    ['it is no integer', '{"id":7.5}'],
    ['it is negative', '{"id":-7}'],
    ['it is in another key', '{"uuid":7,"Id":7,"idx":7,"_id":7}'],
    ['it is longer than any id that was issued', '{"id":00000000000000007}'],
    ['there is none', 'Segmentation fault'],
    ['there is nothing', ''],
  ])('finds nothing when %s', (_, text) => {
    expect(recoverIds(text, pending(7))).toEqual(new Set());
  });

  it('finds the id of any response that lost its beginning and its middle', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.json(), fc.nat(), (id, result, cut) => {
        const line = `{"result":${result},"jsonrpc":"2.0","id":${id}}`;
        const text = line.slice(cut % line.indexOf('"jsonrpc"'));
        expect(recoverIds(text, pending(id))).toEqual(new Set([id]));
      }),
    );
  });
});
