import { expect, it } from 'vitest';

import { withoutMark } from './byte-order-mark.js';

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
