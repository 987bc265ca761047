import { describe, expect, it } from 'vitest';

import { ManualClock } from '@mcpmux/testing/manual-clock';
import { nextTurn } from '@mcpmux/testing/next-turn';
import type { ListKind } from './list-kind.js';
import { Relister } from './relister.js';

function rig() {
  const clock = new ManualClock();
  const read: { kind: ListKind; at: number }[] = [];
  const relister = new Relister(clock, async (kind) => {
    read.push({ kind, at: clock.now() });
    await nextTurn();
  });
  return { clock, read, relister };
}

/** Announces a change every 100 ms, for so long. */
async function announceFor(ms: number, { clock, relister }: ReturnType<typeof rig>): Promise<void> {
  for (let left = ms; left > 0; left -= 100) {
    relister.scheduleRefresh('tools');
    await nextTurn();
    await nextTurn();
    clock.advance(100);
    await nextTurn();
  }
}

describe('reading lists again', () => {
  it('happens at once for the first changes', () => {
    const { read, relister } = rig();
    relister.scheduleRefresh('tools');
    relister.scheduleRefresh('prompts');
    expect(read.map(({ kind }) => kind)).toEqual(['tools', 'prompts']);
  });

  it('C8: happens at most once a second in a flood of changes', async () => {
    const by = rig();
    await announceFor(10_000, by);
    const braked = by.read.slice(10).map(({ at }) => at);
    expect(braked.length).toBeGreaterThan(5);
    const pauses = braked.slice(1).map((at, index) => at - (braked[index] ?? 0));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(1000);
  });

  it('C8: always happens after the last change', async () => {
    const by = rig();
    await announceFor(3000, by);
    by.relister.scheduleRefresh('tools');
    await nextTurn();
    const lastChangeAt = by.clock.now();
    by.clock.advance(60_000);
    expect(by.read.at(-1)?.at).toBeGreaterThanOrEqual(lastChangeAt);
    expect(by.clock.timerCount).toBe(0);
  });

  it('C8: of one kind waits for the flood of another, and comes', async () => {
    const by = rig();
    await announceFor(3000, by);
    by.relister.scheduleRefresh('prompts');
    by.clock.advance(5000);
    expect(by.read.map(({ kind }) => kind)).toContain('prompts');
  });

  it('ends with the run, without a timer', async () => {
    const by = rig();
    await announceFor(3000, by);
    by.relister.scheduleRefresh('tools');
    by.relister.end();
    const before = by.read.length;
    by.relister.scheduleRefresh('tools');
    by.clock.advance(60_000);
    expect(by.clock.timerCount).toBe(0);
    expect(by.read).toHaveLength(before);
  });
});
