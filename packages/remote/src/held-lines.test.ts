import { expect, it } from 'vitest';

import { isSettled } from '@mcpmux/testing/is-settled';
import { HeldLines } from './held-lines.js';

function held(onLine: (line: string) => void = () => undefined): {
  lines: HeldLines<Buffer>;
  delivered: string[];
} {
  const delivered: string[] = [];
  const lines = new HeldLines<Buffer>((line) => {
    delivered.push(line.toString());
    onLine(line.toString());
  });
  return { lines, delivered };
}

function push(lines: HeldLines<Buffer>, ...texts: readonly string[]): void {
  for (const text of texts) lines.push(Buffer.from(text));
}

it('lines are delivered at once, held while paused, and delivered in order on resume', () => {
  const { lines, delivered } = held();
  push(lines, 'a');
  lines.pause();
  push(lines, 'b', 'c');
  expect(delivered).toEqual(['a']);
  lines.resume();
  expect(delivered).toEqual(['a', 'b', 'c']);
  lines.deliverAll();
  expect(delivered).toHaveLength(3);
});

it('a line that arrives while held ones are delivered comes after those', () => {
  const { lines, delivered } = held((line) => {
    if (line === 'b') push(lines, 'd');
  });
  lines.pause();
  push(lines, 'b', 'c');
  lines.resume();
  expect(delivered).toEqual(['b', 'c', 'd']);
});

it('a handler that pauses keeps the rest back, until it is released', () => {
  const { lines, delivered } = held(() => lines.pause());
  lines.pause();
  push(lines, 'a', 'b', 'c');
  lines.resume();
  expect(delivered).toEqual(['a']);
  lines.deliverAll();
  expect(delivered).toEqual(['a', 'b', 'c']);
});

it('a handler that releases while it is given one gets all, each once', () => {
  const { lines, delivered } = held(() => {
    lines.pause();
    lines.deliverAll();
  });
  lines.pause();
  push(lines, 'a', 'b', 'c');
  lines.resume();
  expect(delivered).toEqual(['a', 'b', 'c']);
  push(lines, 'd');
  expect(delivered).toEqual(['a', 'b', 'c', 'd']);
});

it('a handler that pauses and goes on again gets each line once', () => {
  const { lines, delivered } = held(() => {
    lines.pause();
    lines.resume();
  });
  lines.pause();
  push(lines, 'a', 'b', 'c');
  lines.resume();
  push(lines, 'd');
  expect(delivered).toEqual(['a', 'b', 'c', 'd']);
});

it('lines are delivered again after a handler has thrown', () => {
  const { lines, delivered } = held((line) => {
    if (line === 'a') throw new Error('a handler has failed');
  });
  lines.pause();
  push(lines, 'a', 'b');
  expect(() => lines.resume()).toThrow('a handler has failed');
  push(lines, 'c');
  expect(delivered).toEqual(['a', 'b', 'c']);
});

it('nothing more is to be read while it is paused', async () => {
  const { lines } = held();
  await lines.whenTaken();
  lines.pause();
  const taken = lines.whenTaken();
  await expect(isSettled(taken)).resolves.toBe(false);
  lines.resume();
  await taken;
});
