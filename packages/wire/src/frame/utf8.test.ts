import { isUtf8 } from 'node:buffer';

import fc from 'fast-check';
import { expect, it } from 'vitest';

import { asUtf8 } from './utf8.js';

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
