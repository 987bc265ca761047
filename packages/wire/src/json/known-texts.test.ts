import { describe, expect, it } from 'vitest';

import { KnownTexts } from './known-texts.js';

/** The text of a JSON string, as it stands between its quotes. */
function read(texts: KnownTexts, inside: string): string {
  const line = Buffer.from(`["${inside}"]`);
  return texts.at(line, 2, line.length - 2);
}

describe('KnownTexts', () => {
  it('gives the text of a string, whatever came before', () => {
    const texts = new KnownTexts();
    const all = Array.from({ length: 2000 }, (_, index) => `tool_${index}`);
    for (const text of [...all, ...all]) expect(read(texts, text)).toBe(text);
  });

  it('decodes escapes, and takes the same text written otherwise for the same', () => {
    const texts = new KnownTexts();
    expect([
      read(texts, 'a\\u0062'),
      read(texts, 'ab'),
      read(texts, 'a\\u0062'),
      read(texts, 'é\\n\u{1F600}'),
    ]).toEqual(['ab', 'ab', 'ab', 'é\n\u{1F600}']);
  });

  it('takes empty and long texts too', () => {
    const texts = new KnownTexts();
    const long = 'x'.repeat(1000);
    expect([read(texts, ''), read(texts, long), read(texts, `${long}y`)]).toEqual(['', long, `${long}y`]);
  });

  it('keeps nothing of the line that a text came in', () => {
    const texts = new KnownTexts();
    const line = Buffer.from('"echo"');
    texts.at(line, 1, 5);
    line.fill('x');
    expect(read(texts, 'echo')).toBe('echo');
  });
});
