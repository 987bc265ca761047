import { describe, expect, it } from 'vitest';

import { guardContext, type GuardContextInit } from '../testing/guard-context.js';
import { ManualClock } from '@mcpmux/testing/manual-clock';
import { nextTurn } from '@mcpmux/testing/next-turn';
import { resultAnswer } from './answers.js';
import { concurrency, type ConcurrencyOptions } from './concurrency.js';
import type { Guard, GuardAnswer } from './guard.js';
import { resultLimit, timeLimit } from './limits-of-calls.js';

const OK = resultAnswer(Buffer.from('{"content":[]}'));
const CALL: GuardContextInit = { server: 's', tool: 't' };

/** Calls that a guard has let through, which end when the test says so. */
class Calls {
  readonly begun: string[] = [];
  readonly outcomes = new Map<string, string>();
  private readonly ends = new Map<string, (answer: GuardAnswer) => void>();

  constructor(private readonly guard: Guard) {}

  async call(name: string, init: GuardContextInit = CALL): Promise<void> {
    const next = (): Promise<GuardAnswer> => {
      if (init.signal?.aborted === true) return Promise.reject(new Error('over'));
      this.begun.push(name);
      return new Promise((resolve) => this.ends.set(name, resolve));
    };
    void Promise.resolve()
      .then(() => this.guard.handle?.(guardContext(init), next))
      .then(
        () => this.outcomes.set(name, 'answered'),
        (error: unknown) => this.outcomes.set(name, error instanceof Error ? error.message : ''),
      );
    await nextTurn();
  }

  async end(name: string): Promise<void> {
    this.ends.get(name)?.(OK);
    await nextTurn();
  }
}

describe('concurrency', () => {
  const limited = (options: Partial<ConcurrencyOptions> = {}): Calls =>
    new Calls(concurrency({ max: 1, maxWaiting: 1, ...options }));

  it('A12: a call that waits goes on when the one before it ends', async () => {
    const calls = limited();
    await calls.call('a');
    await calls.call('b');
    expect(calls.begun).toEqual(['a']);
    await calls.end('a');
    expect(calls.begun).toEqual(['a', 'b']);
  });

  it('A12: one more than may run and wait is refused', async () => {
    const calls = limited();
    for (const name of ['a', 'b', 'c']) await calls.call(name);
    expect(calls.outcomes.get('c')).toBe(
      '2 calls of server "s" are running or waiting. Nothing was called. Try again when some of them are answered.',
    );
    await calls.end('a');
    await calls.call('d');
    expect(calls.outcomes.has('d')).toBe(false);
  });

  it('A12: whoever is cancelled while it waits leaves its place in the line to others, and calls nothing', async () => {
    const calls = limited();
    const abort = new AbortController();
    await calls.call('a');
    await calls.call('b', { ...CALL, signal: abort.signal });
    abort.abort();
    await calls.call('c');
    await calls.end('a');
    expect(calls.begun).toEqual(['a', 'c']);
  });

  it('A12: servers do not wait for each other', async () => {
    const calls = limited();
    await calls.call('a');
    await calls.call('b', { server: 'other', tool: 't' });
    expect(calls.begun).toEqual(['a', 'b']);
  });

  it('A12: servers of one name that different clients see do not wait for each other', async () => {
    const calls = limited();
    await calls.call('a', { ...CALL, serverScope: 'session 1' });
    await calls.call('b', { ...CALL, serverScope: 'session 2' });
    await calls.call('c', { ...CALL, serverScope: 'session 2' });
    expect(calls.begun).toEqual(['a', 'b']);
  });

  it('lists wait for nobody', async () => {
    const calls = limited();
    await calls.call('a');
    await calls.call('list', { method: 'tools/list' });
    expect(calls.begun).toEqual(['a', 'list']);
  });
});

describe('timeLimit', () => {
  it('A1: a call that takes too long is given up, and the model is told that part of it may be done', async () => {
    const clock = new ManualClock();
    const calls = new Calls(timeLimit({ ms: 2000, clock }));
    await calls.call('a');
    clock.advance(1999);
    await nextTurn();
    expect(calls.outcomes.size).toBe(0);
    clock.advance(1);
    await nextTurn();
    expect(calls.outcomes.get('a')).toContain(
      'The call of "t" of server "s" took more than 2 s and was cancelled',
    );
  });

  it('A1: one that ends in time is answered, and one of another server may take as long as it takes', async () => {
    const clock = new ManualClock();
    const calls = new Calls(timeLimit({ ms: 2000, servers: ['s'], clock }));
    await calls.call('a');
    await calls.call('b', { server: 'other' });
    await calls.end('a');
    clock.advance(10_000);
    await nextTurn();
    expect([...calls.outcomes]).toEqual([['a', 'answered']]);
  });
});

describe('resultLimit', () => {
  const answered = async (bytes: number, init: GuardContextInit = CALL): Promise<GuardAnswer | undefined> => {
    const { handle } = resultLimit({ bytes });
    return handle?.(guardContext(init), () => Promise.resolve(OK));
  };

  it('A12: an answer above the limit becomes an error that says how large it was', async () => {
    await expect(answered(13)).rejects.toThrow(
      'The result of "t" of server "s" has 14 bytes, above the limit of 13',
    );
  });

  it('A12: an answer at the limit passes as it is, and so does a list', async () => {
    expect(await answered(14)).toBe(OK);
    expect(await answered(1, { method: 'tools/list' })).toBe(OK);
  });
});
