import { expect, it } from 'vitest';

import { CallStats } from './call-book.js';

it('counts what has ended, what failed, and what is on its way', () => {
  const book = new CallStats();
  for (let call = 0; call < 4; call += 1) book.began('a');
  book.ended('a', { ms: 10, ending: 'result' });
  book.ended('a', { ms: 20, ending: 'error' });
  book.ended('a', { ms: 30, ending: 'failed' });
  expect(book.summary()).toEqual({ a: { count: 3, failed: 2, running: 1, p50: 20, p95: 30 } });
});

it('a cancelled call is on its way no more, and counts for nothing else', () => {
  const book = new CallStats();
  book.began('a');
  book.ended('a', { ms: 5, ending: 'cancelled' });
  expect(book.summary()).toEqual({ a: { count: 0, failed: 0, running: 0 } });
});

it('times are those of the last calls', () => {
  const book = new CallStats();
  for (let call = 0; call < 100; call += 1) book.ended('a', { ms: 5000, ending: 'result' });
  for (let call = 1; call <= 200; call += 1) book.ended('a', { ms: call, ending: 'result' });
  expect(book.summary()).toEqual({ a: { count: 300, failed: 0, running: 0, p50: 100, p95: 190 } });
});

it('a call that began before anybody listened does not count below zero', () => {
  const book = new CallStats();
  book.ended('a', { ms: 5, ending: 'result' });
  expect(book.summary()).toMatchObject({ a: { count: 1, running: 0 } });
});

it('a server that was removed is forgotten', () => {
  const book = new CallStats();
  book.ended('a', { ms: 5, ending: 'result' });
  book.forget('a');
  expect(book.summary()).toEqual({});
});
