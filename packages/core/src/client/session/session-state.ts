/**
 * Where one client's session stands.
 *
 * `draining`: the client has closed its side and may still read; answers are sent, requests are not expected.
 */
export type SessionState = 'new' | 'live' | 'draining' | 'closed';

/** An event of a session: its client sent a message, closed its side, or was disconnected. */
export type SessionEvent = 'spoke' | 'input-ended' | 'closed';

/** The state after `event`. A session never comes back. */
export function nextSessionState(state: SessionState, event: SessionEvent): SessionState {
  if (state === 'closed' || event === 'closed') return 'closed';
  if (event === 'input-ended') return 'draining';
  return state === 'new' ? 'live' : state;
}
