import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { findCutOffset, decodeText } from './shortened-result.js';

const MIB = 1024 * 1024;
/** Texts that JSON escapes in every way, as JSON with and without escaped characters. */
const piece = fc.constantFrom(
  '\\n',
  '\\\\',
  '\\"',
  '\\u00e9',
  '\\ud83d\\ude00',
  '\\uD83D',
  '\\udE00',
  'ud8',
  'é',
  '€',
  '😀',
  'a',
);
const inner = fc.array(piece, { maxLength: 40 }).map((pieces) => Buffer.from(pieces.join('')));

describe('the cut of a JSON string', () => {
  it('is at most 12 bytes away, and both sides are the text of the whole', () => {
    fc.assert(
      fc.property(inner, fc.nat(), (json, n) => {
        const end = json.length;
        const at = n % (end + 1);
        const cut = findCutOffset(json, { start: 0, at, end });
        expect(cut).toBeGreaterThanOrEqual(at);
        expect(cut - at).toBeLessThanOrEqual(12);
        const sides = [textOf(json.subarray(0, cut)), textOf(json.subarray(cut))];
        expect(Buffer.concat(sides)).toEqual(textOf(json));
      }),
      { numRuns: 2000 },
    );
  });

  it('reads a bounded number of bytes where escapes are dense', () => {
    for (const escape of ['\\n', '\\u000a', '\\ud83d\\ude00', '\\ud83d']) {
      const json = counted(Buffer.from(escape.repeat(MIB)));
      expect(findCutOffset(json.bytes, { start: 0, at: MIB, end: escape.length * MIB })).toBeLessThanOrEqual(
        MIB + 12,
      );
      expect(json.reads()).toBeLessThan(40);
    }
  });
});

it('lets other work run between the parts of a text of escapes', async () => {
  let turns = 0;
  let isDone = false;
  const turn = (): void => {
    turns += 1;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  const text = await decodeText(Buffer.from('\\n'.repeat(2 * MIB)), 0, 4 * MIB);
  isDone = true;
  expect(text.equals(Buffer.alloc(2 * MIB, '\n'))).toBe(true);
  expect(turns).toBeGreaterThanOrEqual(3);
});

function textOf(json: Buffer): Buffer {
  return Buffer.from(String(JSON.parse(`"${json.toString()}"`)));
}

/** Counts the reads of single bytes. */
function counted(json: Buffer): { readonly bytes: Uint8Array; readonly reads: () => number } {
  let reads = 0;
  const bytes = new Proxy(json, {
    get(target, key) {
      reads += 1;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { bytes, reads: () => reads };
}
