import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { CallLog } from './call-log.js';

describe('CallLog', () => {
  it('numbers the calls from the first id', () => {
    const log = new CallLog(7);
    expect([log.send(1), log.send(2), log.send(3)]).toEqual([7, 8, 9]);
  });

  it('knows the latency of every call, whatever the order and the number of the answers', () => {
    const plan = fc.array(fc.record({ latency: fc.integer({ min: 0, max: 1000 }), order: fc.nat() }), {
      maxLength: 200,
    });
    fc.assert(
      fc.property(plan, (calls) => {
        const log = new CallLog(1);
        const sent = calls.map((call, index) => ({ ...call, id: log.send(index + 1), at: index + 1 }));
        for (const { id, at, latency } of sent.toSorted((a, b) => a.order - b.order))
          log.answer(id, at + latency);
        expect(log.answered).toBe(calls.length);
        const expected = calls.map(({ latency }) => latency).toSorted((a, b) => a - b);
        expect([...log.latencies()]).toEqual(expected);
      }),
    );
  });

  it('holds more calls than it has room for at first', () => {
    const log = new CallLog(1);
    const ids = Array.from({ length: 10_000 }, () => log.send(5));
    for (const id of ids) log.answer(id, 6);
    expect(log.latencies()).toHaveLength(10_000);
    expect(log.latencies().every((latency) => latency === 1)).toBe(true);
  });

  it('refuses a second answer, also one that came at once', () => {
    const log = new CallLog(1);
    const id = log.send(5);
    log.answer(id, 5);
    expect(() => log.answer(id, 6)).toThrow('a second answer to call 1');
  });

  it.each([0, 2, -1, 1.5])('refuses the id %d, which it has not given out', (id) => {
    const log = new CallLog(1);
    log.send(5);
    expect(() => log.answer(id, 6)).toThrow('which was not sent');
    expect(log.answered).toBe(0);
  });
});
