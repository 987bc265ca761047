import { describe, expect, it } from 'vitest';

import { batchArguments } from './batch-line.js';

const FILE = String.raw`C:\my tools\srv.cmd`;

describe('the arguments for a batch file', () => {
  it('end with one line between quotes, of which /s removes the outer ones', () => {
    expect(batchArguments(FILE, ['a'])).toEqual(['/e:ON', '/v:OFF', '/d', '/s', '/c', `""${FILE}" a"`]);
  });

  it.each([
    ['plain-1.0', 'plain-1.0'],
    [String.raw`C:\a\b`, String.raw`C:\a\b`],
    ['', '""'],
    ['two words', '"two words"'],
    ['a&b|c<d>e^f', '"a&b|c<d>e^f"'],
    ['a;b,c=d(e)!', '"a;b,c=d(e)!"'],
    ['say "hi"', '"say ""hi"""'],
    ['100%', '"100%%cd:~,%"'],
    ['%PATH%', '"%%cd:~,%PATH%%cd:~,%"'],
    [String.raw`a b\ `.trim(), String.raw`"a b\\"`],
    [String.raw`C:\a\ `.trim(), String.raw`"C:\a\\"`],
    [String.raw`a\"b`, String.raw`"a\\""b"`],
    ['grün', '"grün"'],
  ])('give %s as %s', (arg, word) => {
    expect(batchArguments('f', [arg]).at(-1)).toBe(`""f" ${word}"`);
  });

  it.each(['a\nb', 'a\rb', 'a\0b'])('cannot hold %j', (arg) => {
    expect(() => batchArguments(FILE, ['a', arg])).toThrow(
      /^command "C:.*srv.cmd" cannot be executed: argument 2 has a line break .* Start its program itself\.$/,
    );
  });
});
