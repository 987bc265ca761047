import process from 'node:process';

import { afterEach, expect, it, vi } from 'vitest';

import { ProcessHealth } from './process-health.js';

afterEach(() => {
  vi.useRealTimers();
});

/** Keeps the thread busy. */
function work(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

it('a reading has the processor time and the delay of the loop since the last one', async () => {
  // The time is not real, because a busy machine gives this process a small share of it.
  let now = 0;
  const health = new ProcessHealth(() => now, 0);
  expect(health.read()).toEqual({});
  const before = process.cpuUsage();
  while (process.cpuUsage(before).user < 50_000);
  now += 100;
  expect(health.read().cpuPercent).toBeGreaterThanOrEqual(50);
  let wasBusy = false;
  // The measure of a delay comes when the loop goes on.
  await vi.waitFor(() => {
    wasBusy = !wasBusy;
    now += 100;
    if (wasBusy) work(150);
    expect(wasBusy || (health.read().loopDelayMs?.max ?? 0)).toBeGreaterThan(100);
  });
});

it('pages that ask within a second get the same reading, which the next one does not cut short', () => {
  let now = 0;
  const health = new ProcessHealth(() => now);
  health.read();
  now = 2000;
  const first = health.read();
  expect(first).toHaveProperty('cpuPercent');
  now = 2999;
  expect(health.read()).toBe(first);
  now = 3000;
  expect(health.read()).not.toBe(first);
});

it('the loop is not measured when nobody has asked for ten seconds', () => {
  vi.useFakeTimers();
  const health = new ProcessHealth(() => Date.now());
  health.read();
  vi.advanceTimersByTime(9000);
  expect(health.read()).toHaveProperty('cpuPercent');
  vi.advanceTimersByTime(10_000);
  expect(health.read()).toEqual({});
});
