import type { MuxEventMap } from '@mcpmux/core';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { CallHistory } from './call-history.js';

beforeEach(() => vi.useFakeTimers({ now: 10_000 }));
afterEach(() => vi.useRealTimers());

type Listener = (event: unknown) => void;

/** A mux whose calls a test makes, and a file in memory. */
class Stored {
  readonly writes: (readonly Record<string, unknown>[])[] = [];
  readonly logged: string[] = [];
  readonly listeners = new Map<string, Listener>();
  failure: Error | undefined;
  /** A write resolves when this does. */
  disk: Promise<void> | undefined;
  private readonly file = {
    path: '/history',
    append: async (lines: readonly string[]): Promise<void> => {
      await this.disk;
      this.file.appendNow(lines);
    },
    appendNow: (lines: readonly string[]): void => {
      if (this.failure !== undefined) throw this.failure;
      this.writes.push(lines.map((line) => JSON.parse(line) as Record<string, unknown>));
    },
  };
  readonly history = new CallHistory({
    mux: {
      on: (name: string, listener: unknown) => {
        this.listeners.set(name, listener as Listener);
        return () => this.listeners.delete(name);
      },
    } as never,
    logger: { log: (_, message) => void this.logged.push(message), enabled: () => true },
    file: this.file,
    config: '/config',
  });

  call(call: number, end: object = {}, start: object = {}): void {
    const place = { server: 's', tool: 't', call };
    this.listeners.get('call:start')?.({ ...place, ...start } satisfies MuxEventMap['call:start']);
    this.listeners.get('call:end')?.({ ...place, ms: 5, ending: 'result', ...end });
  }
}

it('nothing is heard and written while the setting is off', () => {
  const stored = new Stored();
  stored.history.apply(undefined);
  expect(stored.listeners.size).toBe(0);
  stored.history.apply(true);
  stored.history.apply({ content: true });
  expect(stored.listeners.size).toBe(2);
  stored.history.apply(false);
  expect(stored.listeners.size).toBe(0);
  stored.history.flushOnExit();
  expect(stored.writes).toEqual([]);
});

it('the calls of a second are written together, with what was reported of them', async () => {
  const stored = new Stored();
  stored.history.apply(true);
  const start = { session: 1, client: 'c', bytes: 7, arguments: '{"a":1}' };
  stored.call(1, { bytes: 9, result: '{}' }, start);
  stored.call(2, { ending: 'error', problem: 'password=hunter2hunter2 is wrong' });
  expect(stored.writes).toEqual([]);
  await vi.advanceTimersByTimeAsync(1000);
  const of = { server: 's', tool: 't', ms: 5, pid: process.pid, config: '/config' };
  const time = new Date(9995).toISOString();
  expect(stored.writes).toEqual([
    [
      { ...of, time, ending: 'result', client: 'c', sent: 7, received: 9 },
      { ...of, time, ending: 'error', problem: 'password=[redacted]' },
    ],
  ]);
  stored.history.apply({ content: true });
  stored.call(3, { result: '{}' }, start);
  await vi.advanceTimersByTimeAsync(1000);
  expect(stored.writes.at(-1)).toMatchObject([{ arguments: '{"a":1}', result: '{}' }]);
});

it('of a flood the first thousand calls of a second are stored, and the others counted', async () => {
  const stored = new Stored();
  stored.history.apply(true);
  for (let call = 1; call <= 1500; call += 1) stored.call(call);
  await vi.advanceTimersByTimeAsync(1000);
  expect(stored.writes[0]).toHaveLength(1001);
  expect(stored.writes[0]?.at(-1)).toMatchObject({ missed: 500 });
});

it('a slow disk gets one write at a time', async () => {
  const stored = new Stored();
  stored.history.apply(true);
  let done: () => void = () => undefined;
  stored.disk = new Promise((resolve) => (done = resolve));
  stored.call(1);
  await vi.advanceTimersByTimeAsync(1000);
  stored.call(2);
  await vi.advanceTimersByTimeAsync(5000);
  expect(stored.writes).toEqual([]);
  done();
  await vi.advanceTimersByTimeAsync(1000);
  expect(stored.writes.map(({ length }) => length)).toEqual([1, 1]);
});

it('a file that cannot be written is reported once', async () => {
  const stored = new Stored();
  stored.history.apply(true);
  stored.failure = new Error('disk full');
  for (let call = 1; call <= 3; call += 1) {
    stored.call(call);
    await vi.advanceTimersByTimeAsync(1000);
  }
  stored.call(4);
  stored.history.flushOnExit();
  expect(stored.logged).toEqual(['calls are not stored: the history cannot be written']);
  stored.failure = undefined;
  stored.call(5);
  stored.history.flushOnExit();
  expect(stored.writes).toHaveLength(1);
});
