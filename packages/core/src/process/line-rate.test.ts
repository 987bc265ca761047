import { describe, expect, it } from 'vitest';

import { ManualClock } from '@mcpmux/testing/manual-clock';
import { LineRateLimiter } from './line-rate.js';

function setUp(linesPerSecond = 2) {
  const clock = new ManualClock();
  const lines: string[] = [];
  const rate = new LineRateLimiter(linesPerSecond, clock, (line) => lines.push(line));
  const push = (...texts: readonly string[]): void => {
    for (const text of texts) rate.push(text);
  };
  return { clock, lines, rate, push };
}

const LEFT_OUT_TWO = '(2 more lines within a second were left out)';

describe('a flood of lines', () => {
  it('C9: is cut to so many in a second, and the number of the others is told', () => {
    const { clock, lines, push } = setUp();
    push('a', 'b', 'c', 'd');
    expect(lines).toEqual(['a', 'b']);
    clock.advance(1000);
    expect(lines).toEqual(['a', 'b', LEFT_OUT_TWO]);
    push('e');
    expect(lines.at(-1)).toBe('e');
  });

  it('tells the number before the first line of the next second', () => {
    const { clock, lines, push } = setUp();
    push('a', 'b', 'c');
    clock.advance(999);
    push('d');
    clock.advance(1);
    push('e');
    expect(lines).toEqual(['a', 'b', LEFT_OUT_TWO, 'e']);
  });

  it('C9: never lets more through than is allowed, in any second', () => {
    const { clock, lines, push } = setUp(100);
    for (let ms = 0; ms < 3000; ms += 1) {
      push('x', 'x');
      clock.advance(1);
    }
    expect(lines.filter((line) => line === 'x')).toHaveLength(300);
    expect(lines.filter((line) => line !== 'x')).toEqual(
      Array.from({ length: 3 }, () => '(1900 more lines within a second were left out)'),
    );
  });
});

describe('the end of the lines', () => {
  it('tells what was left out, and leaves no timer behind', () => {
    const { clock, lines, push, rate } = setUp();
    push('a', 'b', 'c', 'd');
    rate.reportDropped();
    expect(lines).toEqual(['a', 'b', LEFT_OUT_TWO]);
    expect(clock.timerCount).toBe(0);
  });

  it('says nothing when nothing was left out', () => {
    const { lines, push, rate } = setUp();
    push('a');
    rate.reportDropped();
    expect(lines).toEqual(['a']);
  });
});
