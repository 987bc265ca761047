import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { stopTransition, type StopAction, type StopEvent, type StopState } from './stop-ladder.js';

const STATES: readonly StopState[] = ['up', 'stdin-closed', 'terminating', 'killing', 'gone'];
const EVENTS: readonly StopEvent[] = ['stop', 'out-of-patience', 'leader-exited', 'group-gone'];
const RUNGS: readonly StopAction[] = ['close-stdin', 'terminate', 'kill'];

/** The state that a sequence of events leads to from `up`, and what was done on the way. */
function follow(events: readonly StopEvent[]): { state: StopState; actions: StopAction[] } {
  let state: StopState = 'up';
  const actions: StopAction[] = [];
  for (const event of events) {
    const next = stopTransition(state, event);
    state = next.state;
    if (next.action !== undefined) actions.push(next.action);
  }
  return { state, actions };
}

const anyEvents = fc.array(fc.constantFrom(...EVENTS), { maxLength: 12 });

describe('the way down', () => {
  it.each<[StopState, StopEvent, StopState, StopAction | undefined]>([
    ['up', 'stop', 'stdin-closed', 'close-stdin'],
    ['up', 'out-of-patience', 'up', undefined],
    ['up', 'leader-exited', 'terminating', 'terminate'],
    ['up', 'group-gone', 'gone', undefined],
    ['stdin-closed', 'stop', 'stdin-closed', undefined],
    ['stdin-closed', 'out-of-patience', 'terminating', 'terminate'],
    ['stdin-closed', 'leader-exited', 'terminating', 'terminate'],
    ['stdin-closed', 'group-gone', 'gone', undefined],
    ['terminating', 'stop', 'terminating', undefined],
    ['terminating', 'out-of-patience', 'killing', 'kill'],
    ['terminating', 'leader-exited', 'terminating', undefined],
    ['terminating', 'group-gone', 'gone', undefined],
    ['killing', 'stop', 'killing', undefined],
    ['killing', 'out-of-patience', 'gone', undefined],
    ['killing', 'leader-exited', 'killing', undefined],
    ['killing', 'group-gone', 'gone', undefined],
    ['gone', 'stop', 'gone', undefined],
    ['gone', 'out-of-patience', 'gone', undefined],
    ['gone', 'leader-exited', 'gone', undefined],
    ['gone', 'group-gone', 'gone', undefined],
  ])('goes from %s on %s to %s (action: %s)', (state, event, to, action) => {
    expect(stopTransition(state, event)).toEqual(
      action === undefined ? { state: to } : { state: to, action },
    );
  });

  it('is stdin EOF, SIGTERM, SIGKILL for a server that takes notice of nothing', () => {
    expect(follow(['stop', 'out-of-patience', 'out-of-patience'])).toEqual({
      state: 'killing',
      actions: ['close-stdin', 'terminate', 'kill'],
    });
  });

  it('never leads back up', () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        const ranks = events.map((_, index) => STATES.indexOf(follow(events.slice(0, index + 1)).state));
        expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
      }),
    );
  });

  it('does each thing at most once, and the gentler one first', () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        const { actions } = follow(events);
        expect(actions).toEqual(RUNGS.filter((rung) => actions.includes(rung)));
      }),
    );
  });

  it('ends, whatever happened before: a wish and three timers are enough', () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        const timers: StopEvent[] = ['out-of-patience', 'out-of-patience', 'out-of-patience'];
        expect(follow([...events, 'stop', ...timers]).state).toBe('gone');
      }),
    );
  });

  it('F12: ends as soon as nobody is left, and does nothing more', () => {
    fc.assert(
      fc.property(anyEvents, anyEvents, (before, after) => {
        const until = follow([...before, 'group-gone']);
        expect(follow([...before, 'group-gone', ...after])).toEqual(until);
        expect(until.state).toBe('gone');
      }),
    );
  });
});
