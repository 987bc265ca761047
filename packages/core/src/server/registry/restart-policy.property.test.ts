import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { RunFailure } from '../link/run-failure.js';
import {
  decideRestart,
  MAX_RECONNECT_DELAY_MS,
  MAX_DELAY_MS,
  MAX_RESTARTS,
  WINDOW_MS,
} from './restart-policy.js';

const exited = (exitCode: number): RunFailure => ({
  kind: 'exited',
  exit: { exitCode, signal: null },
  stderrTail: [],
});
const FRESH = { now: 0, restartTimes: [], streak: 0 };

describe('a server whose run has ended by itself', () => {
  it.each([0, 1])('E8: is left alone with the policy never, whatever its exit code: %d', (code) => {
    expect(decideRestart({ ...FRESH, mode: 'never', failure: exited(code) }, 0.5)).toEqual({ kind: 'leave' });
  });

  it('E8: is left alone with on-failure after exit code 0, and started again after any other end', () => {
    const decide = (failure: RunFailure) =>
      decideRestart({ ...FRESH, mode: 'on-failure', failure }, 0.5).kind;
    expect(decide(exited(0))).toBe('leave');
    expect(decide(exited(1))).toBe('restart');
    expect(decide({ kind: 'pipe-closed', pipe: 'stdout', stderrTail: [] })).toBe('restart');
  });

  it('E8: is started again with always, after exit code 0 too', () => {
    expect(decideRestart({ ...FRESH, mode: 'always', failure: exited(0) }, 0.5)).toEqual({
      kind: 'restart',
      delayMs: 500,
    });
  });

  it('E8: waits twice as long each time, up to 30 s, give or take a fifth', () => {
    fc.assert(
      fc.property(fc.nat({ max: 2000 }), fc.double({ min: 0, max: 1, noNaN: true }), (streak, random) => {
        const decision = decideRestart({ ...FRESH, mode: 'always', failure: exited(1), streak }, random);
        const delay = Math.min(500 * 2 ** streak, MAX_DELAY_MS);
        expect(decision.kind).toBe('restart');
        if (decision.kind !== 'restart') return;
        expect(decision.delayMs).toBeGreaterThanOrEqual(Math.floor(delay * 0.8));
        expect(decision.delayMs).toBeLessThanOrEqual(Math.ceil(delay * 1.2));
      }),
    );
  });

  it('E9: is given up when it was restarted five times within a minute that slides', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 3 * WINDOW_MS }), { maxLength: 12 }), (times) => {
        const now = 3 * WINDOW_MS;
        const restartTimes = times.toSorted((a, b) => a - b);
        const recent = restartTimes.filter((at) => at > now - WINDOW_MS).length;
        const { kind } = decideRestart(
          { mode: 'always', failure: exited(1), now, restartTimes, streak: 0 },
          0,
        );
        expect(kind).toBe(recent >= MAX_RESTARTS ? 'give-up' : 'restart');
      }),
    );
  });

  it('is never given up when another mux restarts it, and waits 5 s at most', () => {
    fc.assert(
      fc.property(fc.nat({ max: 2000 }), fc.array(fc.nat({ max: WINDOW_MS })), (streak, restartTimes) => {
        const run = { mode: 'always', isSupervised: true, failure: exited(1), streak } as const;
        const decision = decideRestart({ ...run, now: WINDOW_MS, restartTimes }, 1);
        expect(decision).toEqual({ kind: 'restart', delayMs: expect.any(Number) });
        const { delayMs = 0 } = decision as { readonly delayMs?: number };
        expect(delayMs).toBeLessThanOrEqual(1.2 * MAX_RECONNECT_DELAY_MS);
      }),
    );
  });
});
