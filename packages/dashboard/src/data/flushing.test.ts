import type { ServerResponse } from 'node:http';

import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { startFlushing, HEARTBEAT_MS } from './flushing.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('a page that reads gets a line at each heartbeat, also without news, and at once with news', () => {
  const lines: string[] = [];
  const response = { writeHead: () => undefined, write: (line: string) => lines.push(line) };
  let isSilent = true;
  const take = () => ({ isSilent, value: {} });
  const stop = startFlushing(response as unknown as ServerResponse, take);
  expect(lines).toEqual(['{}\n']);
  vi.advanceTimersByTime(HEARTBEAT_MS - 1);
  expect(lines).toHaveLength(1);
  vi.advanceTimersByTime(1 + 2 * HEARTBEAT_MS);
  expect(lines).toHaveLength(4);
  isSilent = false;
  vi.advanceTimersByTime(HEARTBEAT_MS / 4);
  expect(lines).toHaveLength(6);
  stop();
  vi.advanceTimersByTime(HEARTBEAT_MS);
  expect(lines).toHaveLength(6);
});
