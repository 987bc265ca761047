import { describe, expect, it } from 'vitest';

import { guardContext, type GuardContextInit } from '../testing/guard-context.js';
import { ManualClock } from '@mcpmux/testing/manual-clock';
import { resultAnswer } from './answers.js';
import type { GuardAnswer } from './guard.js';
import { resultCache, type ResultCacheOptions } from './result-cache.js';

const CALL: GuardContextInit = {
  server: 's',
  tool: 't',
  params: { name: 's__t', arguments: { n: 1 } },
  definition: { name: 't', annotations: { readOnlyHint: true } },
};

/** A cache before a server that counts its calls. */
function cached(options: Partial<ResultCacheOptions> = {}) {
  const clock = new ManualClock();
  const { handle } = resultCache({ ttlMs: 1000, clock, ...options });
  let calls = 0;
  const call = async (
    init: GuardContextInit = CALL,
    answer = (n: number): GuardAnswer => resultAnswer(Buffer.from(`{"n":${n}}`)),
  ): Promise<string | undefined> => {
    const given = await handle?.(guardContext(init), () => Promise.resolve(answer((calls += 1))));
    return given?.json.toString();
  };
  return { clock, call };
}

describe('resultCache', () => {
  it('A12: the same call of a tool that only reads is answered from the cache, until it is too old', async () => {
    const { clock, call } = cached();
    expect([await call(), await call()]).toEqual(['{"n":1}', '{"n":1}']);
    clock.advance(999);
    expect(await call()).toBe('{"n":1}');
    clock.advance(1);
    expect(await call()).toBe('{"n":2}');
  });

  it.each<[string, GuardContextInit]>([
    ['of a tool that does not say that it only reads', { ...CALL, definition: { name: 't' } }],
    ['with other arguments', { ...CALL, params: { name: 's__t', arguments: { n: 2 } } }],
    ['of another principal', { ...CALL, principal: { id: 'ann', roles: [], rights: [] } }],
    ['of another tool', { ...CALL, tool: 'u' }],
    ['of another server', { ...CALL, server: 'r' }],
    ['after the server was started anew, or has changed its lists', { ...CALL, serverVersion: '2' }],
    ['that asks for a task', { ...CALL, params: { ...CALL.params, task: {} } }],
    ['that says more than arguments', { ...CALL, params: { ...CALL.params, _meta: { trace: 'x' } } }],
  ])('A12: a call %s is another one', async (_, other) => {
    const { call } = cached();
    await call();
    expect(await call(other)).toBe('{"n":2}');
  });

  it('A12: a progress token makes no difference', async () => {
    const { call } = cached();
    await call();
    expect(await call({ ...CALL, params: { ...CALL.params, _meta: { progressToken: 7 } } })).toBe('{"n":1}');
  });

  it.each([
    ['a result that says it is an error', resultAnswer(Buffer.from('{"isError":true}'), true)],
    ['an error', { ...resultAnswer(Buffer.from('{}')), kind: 'error' as const }],
  ])('A12: %s is not kept', async (_, answer) => {
    const { call } = cached();
    await call(CALL, () => answer);
    expect(await call()).toBe('{"n":2}');
  });

  it('A12: what was not used for longest gives way, and what is larger than the cache is not kept', async () => {
    const large = (n: number): GuardAnswer =>
      resultAnswer(Buffer.from(JSON.stringify({ n, text: 'x'.repeat(400) })));
    const { call } = cached({ maxBytes: 1200 });
    const of = (n: number): GuardContextInit => ({ ...CALL, params: { name: 's__t', arguments: { n } } });
    for (const n of [1, 2, 3]) await call(of(n), large);
    expect(await call(of(3), large)).toContain('"n":3');
    expect(await call(of(1), large)).toContain('"n":4');
    const tiny = cached({ maxBytes: 100 });
    await tiny.call(CALL, large);
    expect(await tiny.call(CALL, large)).toContain('"n":2');
  });
});
