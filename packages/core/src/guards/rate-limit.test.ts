import { describe, expect, it } from 'vitest';
import { ManualClock } from '@mcpmux/testing/manual-clock';
import { measureHeldHeapBytes } from '@mcpmux/testing/held-memory';
import { guardContext, type GuardContextInit } from '../testing/guard-context.js';
import { resultAnswer } from './answers.js';
import { GuardRefusal } from './guard-refusal.js';
import { rateLimit, type RateLimitOptions, KeyedBuckets, MAX_BUCKETS } from './rate-limit.js';

const OK = resultAnswer(Buffer.from('{}'));

/** Calls a guard; gives `ok`, or in how many milliseconds it may be called again. */
function caller(options: Omit<RateLimitOptions, 'clock'>): {
  readonly clock: ManualClock;
  readonly call: (init: GuardContextInit) => Promise<unknown>;
} {
  const clock = new ManualClock();
  const { handle } = rateLimit({ ...options, clock });
  return {
    clock,
    call: async (init) => {
      try {
        await handle?.(guardContext(init), () => Promise.resolve(OK));
        return 'ok';
      } catch (error) {
        return error instanceof GuardRefusal ? error.data['retryAfterMs'] : error;
      }
    },
  };
}

const ann = { id: 'ann', roles: ['dev'], rights: [] };
const bob = { id: 'bob', roles: [], rights: [] };

describe('rateLimit', () => {
  it('A7: a burst passes, then as many as the rate says, and the refusal tells when', async () => {
    const { clock, call } = caller({ perSecond: 2, burst: 3 });
    const call1 = { principal: ann, server: 's', tool: 't' };
    const first = [await call(call1), await call(call1), await call(call1), await call(call1)];
    expect(first).toEqual(['ok', 'ok', 'ok', 500]);
    clock.advance(250);
    expect(await call(call1)).toBe(250);
    clock.advance(250);
    expect([await call(call1), await call(call1)]).toEqual(['ok', 500]);
  });

  it('A7: what is counted by principal alone is counted together at servers of one name, and by server is not', async () => {
    const [here, there] = ['session 1', 'session 2'].map((serverScope) => ({
      server: 's',
      tool: 't',
      serverScope,
    }));
    for (const by of ['server', 'tool'] as const) {
      const { call } = caller({ perSecond: 1, burst: 1, by: ['principal', by] });
      expect([await call(here ?? {}), await call(there ?? {}), await call(here ?? {})]).toEqual([
        'ok',
        'ok',
        1000,
      ]);
    }
    const { call } = caller({ perSecond: 1, burst: 1, servers: ['s'], by: ['principal'] });
    expect([await call(here ?? {}), await call(there ?? {})]).toEqual(['ok', 1000]);
  });

  it.each([
    [
      'principal',
      [
        { principal: ann, server: 's', tool: 't' },
        { principal: bob, server: 's', tool: 't' },
      ],
    ],
    [
      'server',
      [
        { principal: ann, server: 's', tool: 't' },
        { principal: ann, server: 'r', tool: 't' },
      ],
    ],
    [
      'tool',
      [
        { principal: ann, server: 's', tool: 't' },
        { principal: ann, server: 's', tool: 'u' },
      ],
    ],
  ] as const)('A7: each %s has a bucket of its own', async (by, [one, other]) => {
    const { call } = caller({ perSecond: 1, by: [by] });
    expect([await call(one), await call(one), await call(other)]).toEqual(['ok', 1000, 'ok']);
  });

  it('A7: a name cannot be made up that falls into the bucket of another', async () => {
    const { call } = caller({ perSecond: 1, by: ['server', 'tool'] });
    expect(await call({ server: 'a","b', tool: 'c' })).toBe('ok');
    expect(await call({ server: 'a', tool: 'b","c' })).toBe('ok');
  });

  it('A7: what it is not for is not counted', async () => {
    const { call } = caller({ perSecond: 1, roles: ['dev'], tools: ['get_*'] });
    const counted = { principal: ann, server: 's', tool: 'get_x' };
    expect([await call(counted), await call(counted)]).toEqual(['ok', 1000]);
    expect(await call({ ...counted, principal: bob })).toBe('ok');
    expect(await call({ ...counted, tool: 'put_x' })).toBe('ok');
  });

  it('A7: lists are not counted, calls of tools that do not exist are', async () => {
    const { call } = caller({ perSecond: 1 });
    expect([await call({ method: 'tools/list' }), await call({ method: 'tools/list' })]).toEqual([
      'ok',
      'ok',
    ]);
    expect([await call({}), await call({})]).toEqual(['ok', 1000]);
  });

  it('the refusal says to a model what was called, by whom, and what to do', () => {
    const { handle } = rateLimit({ perSecond: 0.5, by: ['principal', 'tool'], clock: new ManualClock() });
    const call = (): unknown =>
      handle?.(guardContext({ principal: ann, server: 's', tool: 't' }), () => Promise.resolve(OK));
    void call();
    expect(call).toThrow(
      'Too many calls (tool "t", caller "ann"). Nothing was called. Wait 2 s before the next call, and make fewer calls.',
    );
  });
});

const RATE = { burst: 1, perSecond: 1 };

it('I19: many times as many callers take no more memory than those that are remembered', () => {
  const buckets = new KeyedBuckets(RATE, new ManualClock());
  for (let at = 0; at < MAX_BUCKETS; at += 1) buckets.take(`caller ${at}`);
  const before = measureHeldHeapBytes();
  for (let at = 0; at < 20 * MAX_BUCKETS; at += 1) buckets.take(`further caller ${at}`);
  expect(buckets.size).toBe(MAX_BUCKETS);
  expect(measureHeldHeapBytes() - before).toBeLessThan(20_000_000);
});

it('I19: whoever calls all the time is not forgotten for those who come once', () => {
  const buckets = new KeyedBuckets(RATE, new ManualClock(), 100);
  expect(buckets.take('busy')).toBe(0);
  for (let at = 0; at < 1000; at += 1) {
    buckets.take(`caller ${at}`);
    expect(buckets.take('busy')).toBe(1000);
  }
});
