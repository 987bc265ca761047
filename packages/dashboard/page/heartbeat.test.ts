import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { Heartbeat } from './heartbeat.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('a stream is silent after some heartbeats without a sign, and not before', () => {
  const heartbeat = new Heartbeat(1000);
  vi.advanceTimersByTime(3500);
  heartbeat.heard();
  vi.advanceTimersByTime(3000);
  expect(heartbeat.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1000);
  expect(heartbeat.signal.aborted).toBe(true);
  expect(Date.now() - heartbeat.heardAt).toBe(4000);
  heartbeat.stop();
});

it('a browser that slept has missed one heartbeat', () => {
  const heartbeat = new Heartbeat(1000);
  vi.setSystemTime(Date.now() + 3_600_000);
  vi.advanceTimersByTime(1000);
  expect(heartbeat.signal.aborted).toBe(false);
  heartbeat.stop();
  vi.advanceTimersByTime(60_000);
  expect(heartbeat.signal.aborted).toBe(false);
});
