import { expect, it } from 'vitest';

import { Parts } from './parts.js';
import { PartialLine } from './partial-line.js';

it('a text in a million parts is held in few buffers, and is the same', () => {
  const parts = new Parts();
  const byte = Buffer.from('x');
  for (let count = 0; count < 1_000_000; count += 1) parts.push(byte);
  parts.push(Buffer.from('end'));
  expect(parts.all.length).toBeLessThan(3000);
  expect(parts.whole().equals(Buffer.from(`${'x'.repeat(1_000_000)}end`))).toBe(true);
  parts.clear();
  expect([parts.isEmpty, parts.whole().length]).toEqual([true, 0]);
});

it('a single part is given out without a copy', () => {
  const parts = new Parts();
  const only = Buffer.from('only');
  parts.push(only);
  expect(parts.whole()).toBe(only);
});

it('a line that comes byte by byte is held in few buffers', () => {
  const line = new PartialLine();
  for (let count = 0; count < 100_000; count += 1) line.add(Buffer.from('x'));
  expect(line.pieces().length).toBeLessThan(2000);
  line.finishLine((whole) => expect(whole.toString()).toBe('x'.repeat(100_000)));
});
