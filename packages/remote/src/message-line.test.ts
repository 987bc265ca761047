import { expect, it } from 'vitest';

import { messageLine } from './message-line.js';

it.each([
  ['{"a":1.0}', '{"a":1.0}'],
  ['{\n  "a": 1\r\n}', '{   "a": 1  }'],
  ['\ufeff{}', '{}'],
])('the text %j is the line %j', (text, line) => {
  expect(messageLine([Buffer.from(text)])?.join('')).toBe(line);
});

it.each(['', ' ', '\r\n', '\ufeff'])('the text %j is no line', (text) => {
  expect(messageLine([Buffer.from(text)])).toBeUndefined();
});

it('a text in parts stays in parts', () => {
  const rest = 'x'.repeat(64);
  const parts = [`\ufeff{\n"a":"${rest}`, `\r\n${rest}`, '"}\n'].map((text) => Buffer.from(text));
  expect(messageLine(parts)?.map(String)).toEqual([`{ "a":"${rest}`, `  ${rest}`, '"} ']);
});
