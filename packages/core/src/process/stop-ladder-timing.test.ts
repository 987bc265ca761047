import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { ManualClock } from '@mcpmux/testing/manual-clock';
import { nextTurn } from '@mcpmux/testing/next-turn';
import {
  ABORT_TIMINGS,
  REMOVE_TIMINGS,
  SHUTDOWN_TIMINGS,
  StopLadder,
  type StopTimings,
} from './stop-ladder.js';

/** After SIGKILL. */
const KILL_GRACE_MS = 500;
const TIMINGS: StopTimings = { eofGraceMs: 2000, termGraceMs: 800 };

/** A group of processes that does nothing by itself, and a ladder to bring it down. */
class Rig {
  readonly clock = new ManualClock();
  /** What was done to the group, and when. */
  readonly actions: (readonly [string, number])[] = [];
  isGroupAlive = true;
  goneAt: number | undefined;
  readonly ladder = new StopLadder(
    {
      closeStdin: () => this.did('close-stdin'),
      signal: (signal) => this.did(signal === 'SIGTERM' ? 'terminate' : 'kill'),
      isAlive: () => this.isGroupAlive,
    },
    this.clock,
  );

  /** Lets the leader exit; `leftOvers` tells whether others of the group go on living. */
  leaderExits(leftOvers: boolean): void {
    this.isGroupAlive = leftOvers;
    this.ladder.handleLeaderExit();
  }

  /** Lets time pass in steps, so that the moment is known at which the ladder is done. */
  async advance(ms: number, stepMs = ms): Promise<void> {
    for (let passed = 0; passed < ms; passed += stepMs) {
      this.clock.advance(Math.min(stepMs, ms - passed));
      await this.isGone();
    }
  }

  async isGone(): Promise<boolean> {
    const isGone = await Promise.race([
      this.ladder.endPromise.then(() => true),
      nextTurn().then(() => false),
    ]);
    if (isGone) this.goneAt ??= this.clock.now();
    return isGone;
  }

  private did(action: string): void {
    this.actions.push([action, this.clock.now()]);
  }
}

describe('graceful shutdown', () => {
  it('M7, F2: graceful shutdown sends SIGTERM then SIGKILL, each after its time', async () => {
    const rig = new Rig();
    void rig.ladder.stop(TIMINGS);
    rig.clock.advance(60_000);
    expect(rig.actions).toEqual([
      ['close-stdin', 0],
      ['terminate', 2000],
      ['kill', 2800],
    ]);
    await expect(rig.isGone()).resolves.toBe(true);
    expect(rig.clock.timerCount).toBe(0);
  });

  it('stops at the rung at which the server obeys', async () => {
    const rig = new Rig();
    void rig.ladder.stop(TIMINGS);
    rig.clock.advance(2100);
    rig.leaderExits(false);
    await expect(rig.isGone()).resolves.toBe(true);
    expect(rig.clock.timerCount).toBe(0);
    expect(rig.actions).toEqual([
      ['close-stdin', 0],
      ['terminate', 2000],
    ]);
  });

  it('sends no signal to a server that exits when its stdin ends', async () => {
    const rig = new Rig();
    void rig.ladder.stop(TIMINGS);
    rig.clock.advance(10);
    rig.leaderExits(false);
    await expect(rig.isGone()).resolves.toBe(true);
    rig.clock.advance(60_000);
    expect(rig.actions).toEqual([['close-stdin', 0]]);
  });

  it('gives up a process that even SIGKILL does not end', async () => {
    const rig = new Rig();
    void rig.ladder.stop(ABORT_TIMINGS);
    await rig.advance(60_000, 100);
    expect(rig.goneAt).toBe(ABORT_TIMINGS.termGraceMs + KILL_GRACE_MS);
  });
});

describe('the exit of the leader', () => {
  it('is the end when nobody else is in the group', async () => {
    const rig = new Rig();
    rig.leaderExits(false);
    await expect(rig.isGone()).resolves.toBe(true);
    expect(rig.actions).toEqual([]);
    expect(rig.clock.timerCount).toBe(0);
  });

  it('that nobody asked for ends its left-overs: SIGTERM at once, SIGKILL after 500 ms', async () => {
    const rig = new Rig();
    rig.clock.advance(100);
    rig.leaderExits(true);
    rig.clock.advance(60_000);
    expect(rig.actions).toEqual([
      ['terminate', 100],
      ['kill', 600],
    ]);
    await expect(rig.isGone()).resolves.toBe(true);
    expect(rig.clock.timerCount).toBe(0);
  });

  it('during the wait after stdin EOF ends its left-overs without waiting for the rest of it', () => {
    const rig = new Rig();
    void rig.ladder.stop(TIMINGS);
    rig.clock.advance(10);
    rig.leaderExits(true);
    rig.clock.advance(60_000);
    expect(rig.actions).toEqual([
      ['close-stdin', 0],
      ['terminate', 10],
      ['kill', 510],
    ]);
  });

  it('during the wait after SIGTERM shortens it, and sends no second SIGTERM', () => {
    const rig = new Rig();
    void rig.ladder.stop({ eofGraceMs: 0, termGraceMs: 5000 });
    rig.clock.advance(1000);
    rig.leaderExits(true);
    rig.clock.advance(60_000);
    expect(rig.actions).toEqual([
      ['close-stdin', 0],
      ['terminate', 0],
      ['kill', 1500],
    ]);
  });

  it('leaves no timer behind when the left-overs have to be given up', async () => {
    const rig = new Rig();
    void rig.ladder.stop({ eofGraceMs: 0, termGraceMs: 100 });
    rig.clock.advance(7);
    rig.leaderExits(true);
    rig.clock.advance(100 + KILL_GRACE_MS - 7);
    await expect(rig.isGone()).resolves.toBe(true);
    expect(rig.clock.timerCount).toBe(0);
  });

  it('is followed by a look at the group every few milliseconds, until it is gone', async () => {
    const rig = new Rig();
    rig.leaderExits(true);
    rig.clock.advance(100);
    rig.isGroupAlive = false;
    await rig.advance(100, 1);
    expect(rig.goneAt).toBeGreaterThan(100);
    expect(rig.goneAt).toBeLessThanOrEqual(120);
    expect(rig.clock.timerCount).toBe(0);
    expect(rig.actions).toEqual([['terminate', 0]]);
  });
});

describe('a second stop', () => {
  it('hastens the first', () => {
    const rig = new Rig();
    void rig.ladder.stop(TIMINGS);
    rig.clock.advance(500);
    void rig.ladder.stop({ eofGraceMs: 100, termGraceMs: 50 });
    rig.clock.advance(60_000);
    expect(rig.actions).toEqual([
      ['close-stdin', 0],
      ['terminate', 600],
      ['kill', 650],
    ]);
  });

  it('hastens the wait after SIGTERM too', () => {
    const rig = new Rig();
    void rig.ladder.stop(TIMINGS);
    rig.clock.advance(2100);
    void rig.ladder.stop({ eofGraceMs: 100, termGraceMs: 50 });
    rig.clock.advance(60_000);
    expect(rig.actions).toEqual([
      ['close-stdin', 0],
      ['terminate', 2000],
      ['kill', 2150],
    ]);
  });

  it('never slows the first down', () => {
    const rig = new Rig();
    void rig.ladder.stop({ eofGraceMs: 100, termGraceMs: 50 });
    rig.clock.advance(90);
    void rig.ladder.stop(TIMINGS);
    rig.clock.advance(60_000);
    expect(rig.actions).toEqual([
      ['close-stdin', 0],
      ['terminate', 100],
      ['kill', 150],
    ]);
  });

  it('of a group that is gone does nothing and resolves', async () => {
    const rig = new Rig();
    rig.leaderExits(false);
    await rig.ladder.stop(TIMINGS);
    expect(rig.actions).toEqual([]);
    expect(rig.clock.timerCount).toBe(0);
  });
});

describe('the timings', () => {
  it('of a removal end within 5 s, 1 s of draining before them', () => {
    expect(REMOVE_TIMINGS).toEqual({ eofGraceMs: 2000, termGraceMs: 2000 });
  });

  it('of the shutdown leave room before 2.5 s', () => {
    expect(SHUTDOWN_TIMINGS).toEqual({ eofGraceMs: 900, termGraceMs: 600 });
  });

  it('of a failed start are without courtesy', () => {
    expect(ABORT_TIMINGS).toEqual({ eofGraceMs: 0, termGraceMs: 500 });
  });
});

const timings = fc.record({ eofGraceMs: fc.nat({ max: 3000 }), termGraceMs: fc.nat({ max: 3000 }) });
const step = fc.oneof(
  fc.record({ advance: fc.nat({ max: 1500 }) }),
  fc.record({ stop: timings }),
  fc.constant('leader exits' as const),
  fc.constant('others exit' as const),
);

describe('whatever happens in whatever order', () => {
  it('each rung is climbed once, in time, and no timer is left afterwards', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const rig = new Rig();
        let hasLeader = true;
        let hasOthers = true;
        let latest = Infinity;
        const stop = (given: StopTimings): void => {
          latest = Math.min(latest, rig.clock.now() + given.eofGraceMs + given.termGraceMs + KILL_GRACE_MS);
          void rig.ladder.stop(given);
        };
        for (const each of [...steps, { stop: TIMINGS }]) {
          if (each === 'others exit') {
            hasOthers = false;
            rig.isGroupAlive = hasLeader;
          } else if (each === 'leader exits') {
            if (hasLeader) rig.leaderExits(hasOthers);
            hasLeader = false;
          } else if ('stop' in each) stop(each.stop);
          else await rig.advance(each.advance);
          await rig.isGone();
        }
        await rig.advance(latest - rig.clock.now());
        await expect(rig.isGone()).resolves.toBe(true);
        expect(rig.clock.timerCount).toBe(0);
        const done = rig.actions.map(([action]) => action);
        expect(done).toEqual(['close-stdin', 'terminate', 'kill'].filter((rung) => done.includes(rung)));
      }),
    );
  });
});
