import { isUtf8 } from 'node:buffer';

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { asUtf8, withoutMark } from './line-framer.js';

it('a line that is UTF-8 is the same line, not a copy', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const line = Buffer.from(text);
      expect(asUtf8(line)).toBe(line);
    }),
  );
});

it('any other line becomes UTF-8, and is what a lenient reader sees', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      const line = Buffer.from(bytes);
      expect(isUtf8(asUtf8(line))).toBe(true);
      expect(asUtf8(line).toString()).toBe(line.toString());
    }),
  );
  expect(asUtf8(Buffer.from('{"text":"caf\xe9"}', 'latin1')).toString()).toBe('{"text":"caf\ufffd"}');
});

it.each([
  ['\u{feff}{}', '{}'],
  ['\u{feff}', ''],
  ['\u{feff}\u{feff}1', '\u{feff}1'],
  ['{}\u{feff}', '{}\u{feff}'],
  ['', ''],
])('removes one byte order mark from the beginning of %j', (text, expected) => {
  expect(withoutMark(Buffer.from(text)).toString()).toBe(expected);
});

it('leaves a text that begins like a mark as it is', () => {
  const text = Buffer.from([0xef, 0xbb]);
  expect(withoutMark(text)).toBe(text);
});
