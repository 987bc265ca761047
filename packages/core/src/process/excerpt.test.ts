import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { MAX_ERROR_LINES, Excerpt, MAX_EXCERPT_LINE_LENGTH, HEAD_LINES, TAIL_LINES } from './excerpt.js';

function excerptOf(lines: readonly string[]): readonly string[] {
  const excerpt = new Excerpt();
  for (const line of lines) excerpt.add(line);
  return excerpt.lines;
}

function numbered(count: number, word = 'line'): string[] {
  return Array.from({ length: count }, (_, index) => `${word} ${index + 1}`);
}

describe('an excerpt', () => {
  it('is the whole text if that is short', () => {
    const lines = numbered(HEAD_LINES + TAIL_LINES);
    expect(excerptOf(lines)).toEqual(lines);
    expect(excerptOf([])).toEqual([]);
  });

  it('A2: has the first and the last lines of a long text, and says how many are between', () => {
    const lines = numbered(100);
    expect(excerptOf(lines)).toEqual([
      ...lines.slice(0, HEAD_LINES),
      '(70 more lines were left out here)',
      ...lines.slice(-TAIL_LINES),
    ]);
    expect(excerptOf(numbered(HEAD_LINES + TAIL_LINES + 1))).toContain('(1 more line was left out here)');
  });

  it('A2: has a flag error that is followed by sixty lines of usage', () => {
    const usage = numbered(60, '  -flag');
    expect(excerptOf(['flag provided but not defined: -nope', 'Usage of server:', ...usage])[0]).toBe(
      'flag provided but not defined: -nope',
    );
  });

  it.each([
    ['of Go', 'panic: go panic here'],
    ['of Go at run time', 'fatal error: all goroutines are asleep - deadlock!'],
    ['of Rust', "thread 'main' panicked at src/main.rs:2:5:"],
    ['of Node.js', "TypeError: Cannot read properties of undefined (reading 'x')"],
    ['of Java', 'Exception in thread "main" java.lang.IllegalStateException: no key'],
    ['of Python', 'KeyError: API_KEY'],
    ['of a logger', '2026-01-01T00:00:00Z [ERROR] API_KEY is required'],
  ])('A2: has the reason %s between the log of a long run and its stack trace', (_, reason) => {
    const trace = Array.from({ length: 40 }, (_each, index) => [
      `main.step${index}({0xc000012345, 0x1})`,
      `\t/go/src/panic.go:${index} +0x1d`,
      '    at Error.step (/srv/error.js:1:2)',
      'panic({0x4b1c20?, 0x4e8d30?})',
    ]).flat();
    const lines = excerptOf([...numbered(300, 'request'), reason, ...trace]);
    expect(lines).toContain(reason);
    expect(lines.length).toBeLessThan(HEAD_LINES + TAIL_LINES + 5);
  });

  it('is bounded, whatever it is of', () => {
    const most = HEAD_LINES + MAX_ERROR_LINES + TAIL_LINES;
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('Error: x', 'y', 'z'.repeat(5000)), { maxLength: 200 }),
        (lines) => {
          const shown = excerptOf(lines);
          expect(shown.length).toBeLessThanOrEqual(most + MAX_ERROR_LINES + 1);
          for (const line of shown) expect(line.length).toBeLessThanOrEqual(MAX_EXCERPT_LINE_LENGTH + 1);
        },
      ),
    );
  });
});
