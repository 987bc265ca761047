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
  const health = new ProcessHealth(() => performance.now());
  expect(health.read()).toEqual({});
  work(100);
  expect(health.read().cpuPercent).toBeGreaterThan(20);
  let wasBusy = false;
  // The measure of a delay comes when the loop goes on.
  await vi.waitFor(() => {
    wasBusy = !wasBusy;
    if (wasBusy) work(150);
    expect(wasBusy || (health.read().loopDelayMs?.max ?? 0)).toBeGreaterThan(100);
  });
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
