/**
 * The state of one client's session.
 *
 * `draining`: the client has closed its side but may still read. Answers are sent, but no more requests are expected.
 */
export type SessionState = 'new' | 'live' | 'draining' | 'closed';

/** An event that affects a session: its client sent a message, closed its side, or was disconnected. */
export type SessionEvent = 'spoke' | 'input-ended' | 'closed';

/** Returns the state after `event`. A closed session stays closed. */
export function nextSessionState(state: SessionState, event: SessionEvent): SessionState {
  if (state === 'closed' || event === 'closed') return 'closed';
  if (event === 'input-ended') return 'draining';
  return state === 'new' ? 'live' : state;
}
