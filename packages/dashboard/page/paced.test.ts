import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { Paced } from './paced.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('of a thousand texts in a second, the first is passed on at once and the latest after the second', async () => {
  const said: string[] = [];
  const paced = new Paced((text) => said.push(text), 1000);
  for (let number = 0; number < 1000; number += 1) paced.report(String(number));
  expect(said).toEqual(['0']);
  await vi.advanceTimersByTimeAsync(999);
  expect(said).toEqual(['0']);
  await vi.advanceTimersByTimeAsync(1);
  expect(said).toEqual(['0', '999']);
  await vi.advanceTimersByTimeAsync(5000);
  expect(said).toEqual(['0', '999']);
  paced.report('later');
  expect(said).toEqual(['0', '999', 'later']);
});

it('a text that waits is not passed on after the stop', async () => {
  const said: string[] = [];
  const paced = new Paced((text) => said.push(text), 1000);
  paced.report('first');
  paced.report('second');
  paced.stop();
  await vi.runAllTimersAsync();
  expect(said).toEqual(['first']);
});

it('a text that cannot wait is passed on at once, in place of the one that waits', async () => {
  const said: string[] = [];
  const paced = new Paced((text) => said.push(text), 1000);
  paced.report('first');
  paced.report('second');
  paced.now('question');
  expect(said).toEqual(['first', 'question']);
  await vi.runAllTimersAsync();
  expect(said).toEqual(['first', 'question']);
});
