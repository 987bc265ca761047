import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { nextSessionState, type SessionEvent, type SessionState } from './session-state.js';

const EVENTS: readonly SessionEvent[] = ['spoke', 'input-ended', 'closed'];

describe('the state of a session', () => {
  it.each<[SessionState, SessionEvent, SessionState]>([
    ['new', 'spoke', 'live'],
    ['new', 'input-ended', 'draining'],
    ['new', 'closed', 'closed'],
    ['live', 'spoke', 'live'],
    ['live', 'input-ended', 'draining'],
    ['live', 'closed', 'closed'],
    ['draining', 'spoke', 'draining'],
    ['draining', 'input-ended', 'draining'],
    ['draining', 'closed', 'closed'],
    ['closed', 'spoke', 'closed'],
    ['closed', 'input-ended', 'closed'],
    ['closed', 'closed', 'closed'],
  ])('%s is, after %s, %s', (state, event, next) => {
    expect(nextSessionState(state, event)).toBe(next);
  });

  it('only ever goes forward', () => {
    const order: readonly SessionState[] = ['new', 'live', 'draining', 'closed'];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...EVENTS)), (events) => {
        let state: SessionState = 'new';
        for (const event of events) {
          const next = nextSessionState(state, event);
          expect(order.indexOf(next)).toBeGreaterThanOrEqual(order.indexOf(state));
          state = next;
        }
      }),
    );
  });
});
