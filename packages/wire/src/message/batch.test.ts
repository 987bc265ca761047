import { describe, expect, it } from 'vitest';

import { batchElements, MAX_BATCH_MESSAGES } from './batch.js';

function split(line: string): readonly string[] | undefined {
  return batchElements(Buffer.from(line))?.map((element) => element.toString());
}

function batchOf(count: number): string {
  return `[${Array.from({ length: count }, (_, index) => `{"id":${index}}`).join(',')}]`;
}

describe('a batch', () => {
  it('B12: is split into its elements, in order and byte for byte', () => {
    expect(split(' [ {"id":1.0, "x":"\\u0041"} ,\t{"b":[1,{}]}, [2], "s" ] ')).toEqual([
      '{"id":1.0, "x":"\\u0041"}',
      '{"b":[1,{}]}',
      '[2]',
      '"s"',
    ]);
  });

  it(`B12: of ${MAX_BATCH_MESSAGES} messages is split, of one more it is not`, () => {
    expect(split(batchOf(MAX_BATCH_MESSAGES))).toHaveLength(MAX_BATCH_MESSAGES);
    expect(split(batchOf(MAX_BATCH_MESSAGES + 1))).toBeUndefined();
  });

  it.each([
    ['an object', '{"id":1}'],
    ['a number', '1'],
    ['empty', '[]'],
    ['cut off', '[{"id":1},'],
    ['damaged inside', '[{"id":1},{"id":2,"result":tru}]'],
    ['followed by text', '[{"id":1}] x'],
    ['nested too deeply', `[${'['.repeat(300)}${']'.repeat(300)}]`],
  ])('B12: is none when the line is %s', (_, line) => {
    expect(split(line)).toBeUndefined();
  });
});
