import { describe, expect, it } from 'vitest';

import { accepts, acceptsWalking } from '../testing/accepts-json.js';
import { JsonReader, MAX_JSON_DEPTH } from './json-reader.js';

describe('the depth of nesting', () => {
  const arrays = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  const objects = (depth: number) => '{"a":'.repeat(depth - 1) + '{}' + '}'.repeat(depth - 1);
  const mixed = (depth: number) => '[{"a":'.repeat(depth / 2) + '1' + '}]'.repeat(depth / 2);

  it.each([
    ['arrays', arrays],
    ['objects', objects],
    ['arrays and objects', mixed],
  ])('B22: may reach 256 in %s, and not more', (_, nested) => {
    expect(MAX_JSON_DEPTH).toBe(256);
    for (const isAccepted of [accepts, acceptsWalking]) {
      expect(isAccepted(Buffer.from(nested(MAX_JSON_DEPTH)))).toBe(true);
      expect(isAccepted(Buffer.from(`[${nested(MAX_JSON_DEPTH)}]`))).toBe(false);
    }
  });

  it('is counted from where the reader of a member says', () => {
    const reader = new JsonReader(Buffer.from(arrays(2)));
    expect(reader.value(0, MAX_JSON_DEPTH - 2)).toBe(4);
    expect(() => reader.value(0, MAX_JSON_DEPTH - 1)).toThrow('nesting deeper than 256 at byte 1');
  });

  it('is refused before a million brackets can overflow the stack', () => {
    for (const bracket of ['[', '{"a":', '[{"a":']) {
      expect(() => new JsonReader(Buffer.from(bracket.repeat(1_000_000))).value(0)).toThrow('nesting deeper');
    }
  });

  it('does not add up over neighbours', () => {
    expect(accepts(Buffer.from(`[${Array.from({ length: 1000 }, () => '[{}]').join(',')}]`))).toBe(true);
  });
});
