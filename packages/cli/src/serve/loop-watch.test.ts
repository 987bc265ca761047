import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { watchEventLoop } from './loop-watch.js';

const messages: string[] = [];
const logger = { enabled: () => true, log: (_: string, message: string) => void messages.push(message) };

/** A loop that is at work for some of the time that passes. */
const loop = { time: 0, active: 0 };
const clock = { now: () => loop.time, activeMs: () => loop.active };

function pass(ms: number, active: number): void {
  loop.time += ms;
  loop.active += active;
  vi.advanceTimersByTime(100);
}

beforeEach(() => {
  messages.length = 0;
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});

afterEach(() => vi.useRealTimers());

/** Immediates run once in each turn of the loop. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

it('J4: a standstill of the event loop is told, and lateness that is usual is not', () => {
  const watch = watchEventLoop(logger, clock);
  for (const passed of [100, 250, 100, 650, 100]) pass(passed, 50);
  watch.stop();
  pass(5000, 5000);
  expect(messages).toEqual(['the event loop of mcpmux was blocked for 550 ms']);
});

it('checks nothing while the loop is idle, and again after it had work', async () => {
  const watch = watchEventLoop(logger, clock);
  pass(100, 0);
  expect(vi.getTimerCount()).toBe(1);
  pass(100, 0);
  expect(vi.getTimerCount()).toBe(0);
  await turn();
  await turn();
  expect(vi.getTimerCount()).toBe(1);
  watch.stop();
  expect(vi.getTimerCount()).toBe(0);
});

it('tells a standstill that ends an idle time', async () => {
  const watch = watchEventLoop(logger, clock);
  pass(100, 0);
  pass(100, 0);
  loop.time += 60_000;
  loop.active += 700;
  await turn();
  await turn();
  watch.stop();
  expect(messages).toEqual(['the event loop of mcpmux was blocked for 700 ms']);
});

it('stops while it sleeps', async () => {
  const watch = watchEventLoop(logger, clock);
  pass(100, 0);
  pass(100, 0);
  watch.stop();
  await turn();
  await turn();
  expect(vi.getTimerCount()).toBe(0);
});
