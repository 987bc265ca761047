import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { watchLoop } from './loop-watch.js';

const messages: string[] = [];
const logger = { enabled: () => true, log: (_: string, message: string) => void messages.push(message) };

beforeEach(() => {
  messages.length = 0;
  vi.useFakeTimers();
});

afterEach(() => vi.useRealTimers());

it('J4: a standstill of the event loop is told, and lateness that is usual is not', () => {
  let time = 0;
  const watch = watchLoop(logger, () => time);
  for (const passed of [100, 250, 100, 650, 100]) {
    time += passed;
    vi.advanceTimersByTime(100);
  }
  watch.stop();
  time += 5000;
  vi.advanceTimersByTime(1000);
  expect(messages).toEqual(['the event loop of mcpmux was blocked for 550 ms']);
});
