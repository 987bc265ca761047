import { anyText } from '@mcpmux/testing/any-text';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Redactor } from '@mcpmux/kit';

import { MAX_STDERR_PIECE_LENGTH, StderrLines } from './stderr-lines.js';

/** What one server's stderr is read as, when it arrives in these chunks. */
function read(...chunks: readonly (Uint8Array | string)[]): { lines: string[]; excerpt: readonly string[] } {
  const lines: string[] = [];
  const stderr = new StderrLines((line) => lines.push(line));
  for (const chunk of chunks) stderr.push(Buffer.from(chunk));
  stderr.end();
  return { lines, excerpt: stderr.excerpt };
}

/** The same bytes, cut at these places. */
function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const sorted = places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b);
  return [0, ...sorted].map((start, index) => bytes.subarray(start, sorted[index] ?? bytes.length));
}

/** Text as hostile as stderr can be: every kind of control character, escape sequences, long lines. */
const hostileText = fc
  .array(
    fc.oneof(
      anyText(),
      fc.constantFrom('\u001b', '\u001b[31m', '\u001b]0;title\u0007', '\u001b]8;;', '\u009b', '\u0085'),
      fc.constantFrom('\n', '\r', '\r\n', '\u2028', '\u2029', '\t', ' ', '\u0000', '\u007f'),
      fc.constantFrom(
        '🙂',
        'ü',
        'x'.repeat(MAX_STDERR_PIECE_LENGTH - 1),
        'y'.repeat(2 * MAX_STDERR_PIECE_LENGTH),
      ),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

// oxlint-disable-next-line no-control-regex -- these are the characters that must not come through
const HARMFUL = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

describe('lines of stderr', () => {
  it('end at newlines; the last may have none', () => {
    expect(read('one\ntwo\nthree').lines).toEqual(['one', 'two', 'three']);
  });

  it('are told as soon as they are complete', () => {
    const lines: string[] = [];
    const stderr = new StderrLines((line) => lines.push(line));
    stderr.push(Buffer.from('one\ntw'));
    expect(lines).toEqual(['one']);
    stderr.push(Buffer.from('o\n'));
    expect(lines).toEqual(['one', 'two']);
  });

  it('lose the white space at their end, carriage returns included; blank ones are left out', () => {
    expect(read('\n  indented\t\r\n \t \r\n\r\nlast \n').lines).toEqual(['  indented', 'last']);
  });

  it('are the same wherever the stream was cut, also inside a character', () => {
    fc.assert(
      fc.property(hostileText, fc.array(fc.nat(), { maxLength: 8 }), (text, places) => {
        const bytes = Buffer.from(text);
        expect(read(...cut(bytes, places))).toEqual(read(bytes));
      }),
    );
  });

  it('arrive whole when every byte comes alone', () => {
    const text = 'Grüße 日本語 🙂\nzweite Zeile';
    const bytes = Buffer.from(text);
    expect(read(...Array.from(bytes, (byte) => Buffer.of(byte))).lines).toEqual(text.split('\n'));
  });

  it('show bytes that are no UTF-8 as replacement characters', () => {
    expect(read(Buffer.from([0x61, 0xff, 0xfe, 0x62, 0x0a])).lines).toEqual(['a\ufffd\ufffdb']);
  });

  it.each([
    ['in one chunk', []],
    ['in several', [1000, 5000, 9000, 16_000]],
  ])('C9: longer than 8 KiB are cut into pieces of 8 KiB and lose nothing, %s', (_, places) => {
    const bytes = Buffer.from(`${'x'.repeat(2 * MAX_STDERR_PIECE_LENGTH)}tail\nnext\n`);
    expect(read(...cut(bytes, places)).lines).toEqual([
      'x'.repeat(MAX_STDERR_PIECE_LENGTH),
      'x'.repeat(MAX_STDERR_PIECE_LENGTH),
      'tail',
      'next',
    ]);
  });

  it('of exactly 8 KiB stay in one piece', () => {
    const line = 'x'.repeat(MAX_STDERR_PIECE_LENGTH);
    expect(read(line, '\nnext').lines).toEqual([line, 'next']);
  });

  it('C9: without any newline do not pile up in memory', () => {
    const lines: string[] = [];
    const stderr = new StderrLines((line) => lines.push(line));
    for (let index = 0; index < 100; index += 1) stderr.push(Buffer.alloc(MAX_STDERR_PIECE_LENGTH, 'x'));
    expect(lines.length).toBeGreaterThanOrEqual(99);
  });
});

describe('the excerpt of stderr', () => {
  it('C9: holds the first 10 and the last 20 lines', () => {
    const lines = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`);
    const leftOut = '(10 more lines were left out here)';
    expect(read(lines.join('\n')).excerpt).toEqual([...lines.slice(0, 10), leftOut, ...lines.slice(-20)]);
  });

  it('is a copy', () => {
    const stderr = new StderrLines(() => undefined);
    const before = stderr.excerpt;
    stderr.push(Buffer.from('one\n'));
    expect(before).toEqual([]);
    expect(stderr.excerpt).toEqual(['one']);
  });
});

describe('what a server writes to stderr', () => {
  it.each([
    ['a colour', '\u001b[31merror\u001b[0m', 'error'],
    ['a colour of 24 bits', '\u001b[38;2;255;0;0mred\u001b[m', 'red'],
    ['a cursor movement', '\u001b[2J\u001b[1;1Hcleared', 'cleared'],
    ['a private mode', '\u001b[?25lhidden', 'hidden'],
    ['a window title', '\u001b]0;title\u0007text', 'text'],
    ['a window title that ends in ST', '\u001b]0;title\u001b\\text', 'text'],
    ['a hyperlink', '\u001b]8;;https://evil.example\u0007click\u001b]8;;\u0007', 'click'],
    ['a clipboard write', '\u001b]52;c;ZXZpbA==\u0007text', 'text'],
    ['an escape sequence of two bytes', '\u001bMtext', 'text'],
  ])('loses %s', (_, written, line) => {
    expect(read(written).lines).toEqual([line]);
  });

  it.each([
    ['a forged line', 'text\r[error] forged', 'text\\u000d[error] forged'],
    ['a forged line of a Unicode separator', 'a\u2028b\u2029c\u0085d', 'a\\u2028b\\u2029c\\u0085d'],
    ['a bell, a backspace and a nul', '\u0007\b\u0000!', '\\u0007\\u0008\\u0000!'],
    ['text that is shown in another order', 'a\u202eb\u2066c', 'a\\u202eb\\u2066c'],
    ['a C1 control sequence', '\u009b31mred', '\\u009b31mred'],
    ['a lone escape', 'end\u001b', 'end\\u001b'],
    ['a sequence that appears once another was removed', '\u001b\u001b[0m[31mred', '\\u001b[31mred'],
  ])('shows %s', (_, written, line) => {
    expect(read(written).lines).toEqual([line]);
  });

  it('keeps tabs', () => {
    expect(read('a\tb').lines).toEqual(['a\tb']);
  });

  it('fault H5: can neither forge a second line nor reach a terminal', () => {
    fc.assert(
      fc.property(hostileText, fc.array(fc.nat(), { maxLength: 4 }), (text, places) => {
        const { lines } = read(...cut(Buffer.from(text), places));
        for (const line of lines) expect(line).not.toMatch(HARMFUL);
      }),
    );
  });

  it('can be any bytes', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        fc.array(fc.nat(), { maxLength: 4 }),
        (bytes, places) => {
          for (const line of read(...cut(bytes, places)).lines) expect(line).not.toMatch(HARMFUL);
        },
      ),
    );
  });
});

describe('a secret on stderr', () => {
  const SECRET = 'Kx9-secretVALUE/+=42zz-QQ';
  const OUTER = `postgres://me:${SECRET}@host/db`;

  /** All that is told of a text that comes in these chunks. */
  function reported(chunks: readonly Uint8Array[], secrets: readonly string[] = [SECRET]): string {
    const lines: string[] = [];
    const stderr = new StderrLines((line) => lines.push(line), new Redactor(secrets));
    for (const chunk of chunks) stderr.push(Buffer.from(chunk));
    stderr.end();
    expect(stderr.excerpt.join('')).not.toMatch(/secret|VALUE/);
    return lines.join('');
  }

  it('fault H4: is in no line and not in the excerpt, wherever the stream was cut', () => {
    for (let at = 1; at < 20; at += 1) {
      const lines: string[] = [];
      const stderr = new StderrLines((line) => lines.push(line), new Redactor(['hunter2']));
      const text = Buffer.from(`pw hunter2 end\n${'x'.repeat(MAX_STDERR_PIECE_LENGTH - 3)}hunter2\n`);
      for (let start = 0; start < text.length; start += at * 997) {
        stderr.push(text.subarray(start, start + at * 997));
      }
      stderr.end();
      expect(lines.join('')).not.toContain('hunter2');
      expect(stderr.excerpt.join('')).not.toContain('hunter2');
    }
  });

  it('fault H4: leaves no part of itself at any place of a line that is cut into pieces', () => {
    for (
      let before = MAX_STDERR_PIECE_LENGTH - SECRET.length - 2;
      before <= MAX_STDERR_PIECE_LENGTH + 2;
      before += 1
    ) {
      for (let half = 1; half < SECRET.length; half += 1) {
        const text = Buffer.from(`${'.'.repeat(before)}${SECRET}${'.'.repeat(9)}`);
        const shown = reported([text.subarray(0, before + half), text.subarray(before + half)]);
        expect(shown.replaceAll('[redacted]', '')).toMatch(/^\.+$/);
      }
    }
  });

  it('fault H4: within a longer secret leaves nothing of that one, wherever the stream was cut', () => {
    const text = Buffer.from(`<${OUTER}>\n`);
    for (let at = 1; at < text.length; at += 1)
      expect(reported([text.subarray(0, at), text.subarray(at)], [SECRET, OUTER])).toBe('<[redacted]>');
  });

  it('fault H4: is masked if a colour code stands within it', () => {
    const text = `pw ${SECRET.slice(0, 9)}\u001b[0m${SECRET.slice(9)}\n`;
    expect(reported([Buffer.from(text)])).toBe('pw [redacted]');
  });
});
