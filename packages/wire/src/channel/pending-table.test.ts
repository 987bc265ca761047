import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PendingTable, RenewedSet } from './pending-table.js';

function table(...ids: number[]): PendingTable<number, string> {
  const pending = new PendingTable<number, string>();
  for (const id of ids) pending.add(id, `entry ${id}`);
  return pending;
}

/** Whether a promise has been resolved by the time all that was ready to run has run. */
async function isSettled(promise: Promise<void>): Promise<boolean> {
  return Promise.race([
    promise.then(() => true),
    new Promise<boolean>((resolve) => setImmediate(resolve, false)),
  ]);
}

describe('PendingTable', () => {
  it('gives an entry to the first who takes it, and to nobody else', () => {
    const pending = table(1, 2);
    expect(pending.take(1)).toBe('entry 1');
    expect(pending.take(1)).toBeUndefined();
    expect(pending.takeAll()).toEqual(['entry 2']);
    expect(pending.take(2)).toBeUndefined();
    expect(pending.takeAll()).toEqual([]);
  });

  it('knows nothing of an id that was never added', () => {
    const pending = table(1);
    expect([pending.take(2), pending.peek(2), pending.has(2)]).toEqual([undefined, undefined, false]);
    expect(pending.size).toBe(1);
  });

  it('goes on with the entries it has, however many come and go', () => {
    const pending = table(-1, -2);
    const taken: unknown[] = [];
    for (let id = 0; id < 10_000; id += 1) {
      pending.add(id, `entry ${id}`);
      if (id >= 50) taken.push(pending.take(id - 50));
    }
    expect(taken).toEqual(Array.from({ length: 9_950 }, (_, id) => `entry ${id}`));
    expect([pending.size, pending.take(-1), pending.take(-2)]).toEqual([52, 'entry -1', 'entry -2']);
    expect(pending.take(9_949)).toBeUndefined();
    expect(pending.takeAll()).toEqual(Array.from({ length: 50 }, (_, index) => `entry ${9_950 + index}`));
  });

  it('shows an entry that goes on waiting', () => {
    const pending = table(1);
    expect([pending.peek(1), pending.peek(1), pending.has(1)]).toEqual(['entry 1', 'entry 1', true]);
    expect(pending.take(1)).toBe('entry 1');
    expect([pending.peek(1), pending.has(1)]).toEqual([undefined, false]);
  });

  it('takes all in the order in which they were added', () => {
    expect(table(3, 1, 2).takeAll()).toEqual(['entry 3', 'entry 1', 'entry 2']);
    expect([...table(3, 1).values()]).toEqual(['entry 3', 'entry 1']);
  });

  it('tells the ids of different types apart', () => {
    const pending = new PendingTable<unknown, string>();
    pending.add(7, 'number');
    pending.add('7', 'string');
    expect([pending.take('7'), pending.take('7'), pending.take(7)]).toEqual(['string', undefined, 'number']);
  });

  it('leaves an id free for the next entry once it was taken', () => {
    const pending = table(1);
    pending.take(1);
    pending.add(1, 'again');
    expect(pending.take(1)).toBe('again');
  });

  it('does not give out an entry twice when one is taken while all are being taken', () => {
    const pending = table(1, 2, 3);
    const idle = pending.whenIdle();
    const taken = pending.takeAll();
    expect([...taken, pending.take(2)]).toEqual(['entry 1', 'entry 2', 'entry 3', undefined]);
    return expect(idle).resolves.toBeUndefined();
  });

  it('is idle at once when nothing waits', async () => {
    expect(await isSettled(table().whenIdle())).toBe(true);
  });

  it('is idle for all who asked when the last entry is taken, and not before', async () => {
    const pending = table(1, 2);
    const waiters = [pending.whenIdle(), pending.whenIdle()];
    pending.take(1);
    pending.take(9);
    expect(await Promise.all(waiters.map((idle) => isSettled(idle)))).toEqual([false, false]);
    pending.take(2);
    expect(await Promise.all(waiters.map((idle) => isSettled(idle)))).toEqual([true, true]);
  });

  it('is idle anew for whoever asks after the next entry', async () => {
    const pending = table(1);
    pending.take(1);
    pending.add(2, 'next');
    const idle = pending.whenIdle();
    expect(await isSettled(idle)).toBe(false);
    pending.takeAll();
    expect(await isSettled(idle)).toBe(true);
  });

  it('gives every entry to exactly one taker, whatever the order', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constantFrom('add', 'take'), id: fc.nat(5) }),
      fc.record({ kind: fc.constant('takeAll'), id: fc.constant(0) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const pending = new PendingTable<number, number>();
        const given: number[] = [];
        let added = 0;
        for (const { kind, id } of steps) {
          if (kind === 'add' && !pending.has(id)) pending.add(id, (added += 1));
          if (kind === 'take') given.push(...[pending.take(id)].filter((entry) => entry !== undefined));
          expect(pending.peek(id) !== undefined).toBe(pending.has(id));
          if (kind === 'takeAll') given.push(...pending.takeAll());
          expect(given.length + pending.size).toBe(added);
        }
        given.push(...pending.takeAll());
        expect(given.toSorted((a, b) => a - b)).toEqual(
          Array.from({ length: added }, (_, index) => index + 1),
        );
      }),
    );
  });
});

const changes = fc.array(fc.tuple(fc.boolean(), fc.nat(40)), { maxLength: 400 });

describe('RenewedSet', () => {
  it('has the members that a Set would have, in the same order', () => {
    fc.assert(
      fc.property(changes, (steps) => {
        const [renewed, plain] = [new RenewedSet<number>(), new Set<number>()];
        for (const [isAdded, member] of steps) {
          if (isAdded) {
            renewed.add(member);
            plain.add(member);
          }
          const wasMember = isAdded || renewed.delete(member);
          expect(wasMember).toBe(isAdded || plain.delete(member));
          expect([renewed.size, renewed.has(member)]).toEqual([plain.size, plain.has(member)]);
        }
        expect([...renewed]).toEqual([...plain]);
      }),
    );
  });

  it('shows the members of the moment at which the look at them began', () => {
    const renewed = new RenewedSet<number>();
    for (const member of [1, 2, 3]) renewed.add(member);
    const seen: number[] = [];
    for (const member of renewed) {
      seen.push(member);
      renewed.delete(member);
      renewed.add(member + 10);
    }
    expect(seen).toEqual([1, 2, 3]);
    expect([...renewed]).toEqual([11, 12, 13]);
  });
});
