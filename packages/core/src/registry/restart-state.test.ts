import { describe, expect, it } from 'vitest';

import type { RestartDecision } from './restart-policy.js';
import { IDLE, nextRestartState, type RestartEvent, type RestartState } from './restart-state.js';

const RESTART: RestartDecision = { kind: 'restart', delayMs: 500 };
const STATES: readonly RestartState[] = [
  IDLE,
  { kind: 'waiting' },
  { kind: 'given-up', since: 1000 },
  { kind: 'trying' },
];

function ended(decision: RestartDecision): RestartEvent {
  return { kind: 'ended', decision, at: 2000 };
}

function neededAt(at: number): RestartEvent {
  return { kind: 'needed', at, retryAfterMs: 300 };
}

/** The kinds of the states after `event`, in the order of {@link STATES}. */
function after(event: RestartEvent): readonly string[] {
  return STATES.map((state) => nextRestartState(state, event).kind);
}

describe('the restarts of a server', () => {
  it('wait, end or are given up as was decided', () => {
    expect(nextRestartState(IDLE, ended(RESTART))).toEqual({ kind: 'waiting' });
    expect(nextRestartState(IDLE, ended({ kind: 'give-up' }))).toEqual({ kind: 'given-up', since: 2000 });
    expect(after(ended({ kind: 'leave' }))).toEqual(['idle', 'idle', 'idle', 'idle']);
  });

  it('E8: that were given up begin once more for a request, when it is time', () => {
    expect(after(neededAt(1299))).toEqual(['idle', 'waiting', 'given-up', 'trying']);
    expect(after(neededAt(1300))).toEqual(['idle', 'waiting', 'trying', 'trying']);
  });

  it('E8: that were tried once more are given up again at once when that fails', () => {
    expect(nextRestartState({ kind: 'trying' }, ended(RESTART))).toEqual({ kind: 'given-up', since: 2000 });
  });

  it('begin anew with a run, and with a start that somebody else has asked for', () => {
    expect(after({ kind: 'runs' })).toEqual(['idle', 'idle', 'idle', 'idle']);
    expect(after({ kind: 'starts' })).toEqual(['idle', 'idle', 'idle', 'trying']);
  });
});
