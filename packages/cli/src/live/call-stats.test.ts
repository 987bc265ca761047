import { expect, it } from 'vitest';

import { CallStats } from './call-stats.js';

const A = { server: 'a' };

it('counts what has ended, what failed, and what is on its way', () => {
  const stats = new CallStats();
  for (let call = 0; call < 4; call += 1) stats.recordStart(A);
  stats.recordEnd(A, { ms: 10, ending: 'result' });
  stats.recordEnd(A, { ms: 20, ending: 'error' });
  stats.recordEnd(A, { ms: 30, ending: 'failed' });
  expect(stats.summary()).toEqual({ a: { count: 3, failed: 2, running: 1, p50: 20, p95: 30 } });
});

it('a result of a tool that says it has failed counts as failed', () => {
  const stats = new CallStats();
  stats.recordEnd(A, { ms: 10, ending: 'result', problem: 'no such file' });
  expect(stats.summary()).toMatchObject({ a: { count: 1, failed: 1 } });
});

it('a cancelled call is on its way no more, and counts for nothing else', () => {
  const stats = new CallStats();
  stats.recordStart(A);
  stats.recordEnd(A, { ms: 5, ending: 'cancelled' });
  expect(stats.summary()).toEqual({ a: { count: 0, failed: 0, running: 0 } });
});

it('times are those of the last calls', () => {
  const stats = new CallStats();
  for (let call = 0; call < 100; call += 1) stats.recordEnd(A, { ms: 5000, ending: 'result' });
  for (let call = 1; call <= 200; call += 1) stats.recordEnd(A, { ms: call, ending: 'result' });
  expect(stats.summary()).toEqual({ a: { count: 300, failed: 0, running: 0, p50: 100, p95: 190 } });
});

it('a call that began before anybody listened does not count below zero', () => {
  const stats = new CallStats();
  stats.recordEnd(A, { ms: 5, ending: 'result' });
  expect(stats.summary()).toMatchObject({ a: { count: 1, running: 0 } });
});

it('a server that was removed is forgotten', () => {
  const stats = new CallStats();
  stats.recordEnd(A, { ms: 5, ending: 'result' });
  stats.removeServer(A, false);
  expect(stats.summary()).toEqual({});
});

it('servers of the same name in different layers are counted apart, and together by their name', () => {
  const stats = new CallStats();
  const [one, two] = [1, 2].map((session) => ({ server: 'a', layer: `session ${session}` }));
  if (one === undefined || two === undefined) throw new Error('no servers');
  stats.recordStart(one);
  stats.recordEnd(one, { ms: 10, ending: 'result' });
  stats.recordEnd(two, { ms: 30, ending: 'error' });
  expect([A, one, two].map((server) => stats.summaryFor(server))).toEqual([
    undefined,
    { count: 1, failed: 0, running: 0, p50: 10, p95: 10 },
    { count: 1, failed: 1, running: 0, p50: 30, p95: 30 },
  ]);
  expect(stats.summary()).toEqual({ a: { count: 2, failed: 1, running: 0, p50: 10, p95: 30 } });
  stats.removeServer(one, true);
  expect(stats.summaryFor(one)).toBeUndefined();
  expect(stats.summary()).toEqual({ a: { count: 2, failed: 1, running: 0, p50: 10, p95: 30 } });
  stats.removeServer(two, false);
  expect(stats.summary()).toEqual({});
});
