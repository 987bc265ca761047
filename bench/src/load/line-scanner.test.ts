import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { LineScanner } from './line-scanner.js';

/** What comes out when a text arrives in pieces of these lengths. */
function scan(text: string, lengths: readonly number[]): string[] {
  const lines: string[] = [];
  const scanner = new LineScanner((line) => lines.push(line.text()));
  let rest = Buffer.from(text);
  for (const length of lengths) {
    scanner.push(rest.subarray(0, length));
    rest = rest.subarray(length);
  }
  scanner.push(rest);
  scanner.end();
  return lines;
}

describe('LineScanner', () => {
  it('finds the same lines however they are cut', () => {
    const line = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\n', ''));
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.integer({ min: 0, max: 20 })), (lines, lengths) => {
        expect(scan(lines.map((text) => `${text}\n`).join(''), lengths)).toEqual(lines);
      }),
    );
  });

  it('takes what has no newline at the end for a line', () => {
    expect(scan('a\nb', [1])).toEqual(['a', 'b']);
  });
});

describe('the id of an answer', () => {
  const filler = 'x'.repeat(200);

  /** The id that is found in a line, in pieces of this length. */
  function idOf(line: string, length = line.length + 1): number | undefined {
    const found: (number | undefined)[] = [];
    const scanner = new LineScanner((scanned) => found.push(scanned.answerId()));
    const bytes = Buffer.from(`${line}\n`);
    for (let at = 0; at < bytes.length; at += length) scanner.push(bytes.subarray(at, at + length));
    expect(found).toHaveLength(1);
    return found[0];
  }

  const answers = [
    `{"jsonrpc":"2.0","id":17,"result":{"text":"${filler}"}}`,
    `{"result":{"text":"${filler}"},"jsonrpc":"2.0","id":17}`,
    `{"result":{"text":"${filler}"},"id":17,"jsonrpc":"2.0"}`,
    '{"jsonrpc":"2.0","id":17,"result":{}}',
  ];

  it.each(answers)('is found in %s', (line) => {
    expect(idOf(line)).toBe(17);
  });

  it.each(answers)('is found in pieces of any length of %s', (line) => {
    for (let length = 1; length <= line.length; length += 1) expect(idOf(line, length)).toBe(17);
  });

  it.each([
    '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}',
    '{"id":"own-1","result":{}}',
    '',
  ])('is not found in %j', (line) => {
    expect(idOf(line)).toBeUndefined();
  });
});
