import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { ManualClock } from '@mcpmux/testing/manual-clock';
import { Layer } from '../server/config/layer.js';
import { ChangeCoalescer } from './change-coalescer.js';

const LAYER = new Layer('shared');

interface Rig {
  readonly clock: ManualClock;
  readonly changes: ChangeCoalescer;
  /** When announcements were made. */
  readonly announced: number[];
}

function coalescer(delayMs = 20): Rig {
  const clock = new ManualClock();
  const announced: number[] = [];
  const changes = new ChangeCoalescer(
    clock,
    { delayMs, maxDelayMs: 1000 },
    () => void announced.push(clock.now()),
  );
  return { clock, changes, announced };
}

describe('a change coalescer', () => {
  it('M3: makes one announcement of a burst, the delay after its first change', () => {
    const { clock, changes, announced } = coalescer();
    for (let index = 0; index < 10; index += 1) {
      changes.addChange(LAYER, 'a');
      clock.advance(1);
    }
    expect(announced).toEqual([]);
    clock.advance(1000);
    expect(announced).toEqual([20]);
  });

  it('is not put off by changes that never stop', () => {
    const { clock, changes, announced } = coalescer();
    for (let time = 0; time < 100; time += 1) {
      changes.addChange(LAYER, 'a');
      clock.advance(1);
    }
    expect(announced).toEqual([20, 40, 60, 80, 100]);
  });

  it('M3, S11: announces which changes there were, each once, and none of them again', () => {
    const clock = new ManualClock();
    const announced: (readonly string[])[] = [];
    const changes = new ChangeCoalescer(
      clock,
      { delayMs: 20, maxDelayMs: 1000 },
      (kinds) => void announced.push([...(kinds.get(LAYER) ?? [])]),
    );
    for (const kind of ['tools', 'prompts', 'tools']) changes.addChange(LAYER, kind);
    clock.advance(20);
    changes.addChange(LAYER, 'resources');
    clock.advance(20);
    expect(announced).toEqual([['tools', 'prompts'], ['resources']]);
  });

  it('announces a change that is made by the announcement', () => {
    const clock = new ManualClock();
    let announced = 0;
    const changes = new ChangeCoalescer(clock, { delayMs: 20, maxDelayMs: 1000 }, () => {
      announced += 1;
      if (announced < 3) changes.addChange(LAYER, 'a');
    });
    changes.addChange(LAYER, 'a');
    clock.advance(1000);
    expect(announced).toBe(3);
  });

  it('announces nothing without a change, and nothing after it was closed', () => {
    const { clock, changes, announced } = coalescer();
    clock.advance(1000);
    changes.addChange(LAYER, 'a');
    changes.close();
    clock.advance(1000);
    expect(announced).toEqual([]);
    expect(clock.timerCount).toBe(0);
  });

  it('D20: announces every change within the delay, and no more often than once per delay', () => {
    const pauses = fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(pauses, fc.integer({ min: 1, max: 30 }), (gaps, delayMs) => {
        const { clock, changes, announced } = coalescer(delayMs);
        const changedAt = gaps.map((gap) => {
          clock.advance(gap);
          changes.addChange(LAYER, 'a');
          return clock.now();
        });
        clock.advance(1000);
        for (const at of changedAt) {
          expect(announced.some((time) => time >= at && time <= at + delayMs)).toBe(true);
        }
        for (const [index, time] of announced.entries()) {
          expect(time - (announced[index - 1] ?? -Infinity)).toBeGreaterThanOrEqual(delayMs);
        }
      }),
    );
  });
});

describe('a change coalescer while servers are starting', () => {
  function startingCoalescer() {
    const clock = new ManualClock();
    const announced: number[] = [];
    const starting = { hasServers: true };
    const times = { delayMs: 20, maxDelayMs: 1000 };
    const changes = new ChangeCoalescer(clock, times, () => void announced.push(clock.now()), starting);
    return { clock, changes, announced, starting };
  }

  it('M1: announces the servers of one second once, when the last of them is there', () => {
    const { clock, changes, announced, starting } = startingCoalescer();
    for (let index = 0; index < 9; index += 1) {
      changes.addChange(LAYER, 'a');
      changes.onStartEnded();
      clock.advance(100);
    }
    expect(announced).toEqual([]);
    starting.hasServers = false;
    changes.addChange(LAYER, 'a');
    changes.onStartEnded();
    clock.advance(1000);
    expect(announced).toEqual([920]);
    expect(clock.timerCount).toBe(0);
  });

  it('waits for no server that takes longer', () => {
    const { clock, changes, announced } = startingCoalescer();
    changes.addChange(LAYER, 'a');
    clock.advance(3000);
    expect(announced).toEqual([1000]);
  });

  it('announces the change after that with a delay of its own', () => {
    const { clock, changes, announced, starting } = startingCoalescer();
    changes.addChange(LAYER, 'a');
    clock.advance(1000);
    starting.hasServers = false;
    changes.onStartEnded();
    changes.addChange(LAYER, 'a');
    clock.advance(1000);
    expect(announced).toEqual([1000, 1020]);
  });
});
