import { describe, expect, it } from 'vitest';

import { nextHealthState, RESTING, type HealthEvent, type HealthState } from './health-state.js';

const MAX_MISSED = 2;
const STATES: readonly HealthState[] = [
  { kind: 'resting', missed: 1 },
  { kind: 'asked', missed: 1 },
  { kind: 'unresponsive', missed: 2 },
  { kind: 'over' },
];

function after(event: HealthEvent): readonly HealthState[] {
  return STATES.map((state) => nextHealthState(state, event, MAX_MISSED));
}

describe('the health of a run', () => {
  it('needs no ping while the server speaks, which clears what it has missed', () => {
    expect(after({ kind: 'looked', isAlive: true })).toEqual([RESTING, ...STATES.slice(1)]);
  });

  it('is asked for after a silent interval', () => {
    expect(after({ kind: 'looked', isAlive: false })).toEqual([
      { kind: 'asked', missed: 1 },
      ...STATES.slice(1),
    ]);
  });

  it('is good again with an answer', () => {
    expect(after({ kind: 'answered' })).toEqual([STATES[0], RESTING, STATES[2], STATES[3]]);
  });

  it('is bad after so many missed pings in a row, not before', () => {
    expect(nextHealthState({ kind: 'asked', missed: 0 }, { kind: 'missed' }, MAX_MISSED)).toEqual({
      kind: 'resting',
      missed: 1,
    });
    expect(after({ kind: 'missed' })).toEqual([
      STATES[0],
      { kind: 'unresponsive', missed: 2 },
      STATES[2],
      STATES[3],
    ]);
  });

  it('is of no interest any more when the run has ended', () => {
    expect(after({ kind: 'ended' })).toEqual(STATES.map(() => ({ kind: 'over' })));
  });
});
