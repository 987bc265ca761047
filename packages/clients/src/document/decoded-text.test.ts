import { expect, it } from 'vitest';

import { decodedText } from './decoded-text.js';

const TEXT = '{ "name": "caf\u00e9 \u{1F600}" }';

function bigEndian(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16();
}

it.each([
  ['UTF-8', Buffer.from(TEXT)],
  ['UTF-16, little endian', Buffer.from(`\uFEFF${TEXT}`, 'utf16le')],
  ['UTF-16, little endian, without a mark', Buffer.from(TEXT, 'utf16le')],
  ['UTF-16, big endian', bigEndian(`\uFEFF${TEXT}`)],
  ['UTF-16, big endian, without a mark', bigEndian(TEXT)],
])('W7: a file in %s is read', (_, bytes) => {
  expect(decodedText(bytes).replace('\uFEFF', '')).toBe(TEXT);
});

it.each(['', '7', '{}'])('W7: a short file is read: %j', (text) => {
  expect(decodedText(Buffer.from(text))).toBe(text);
});
