import { notificationLine } from '@mcpmux/wire';
import type { ServerDialect } from '../server-dialect.js';

/** Returns the dialect of servers up to the 2025-11-25 revision. It has no state, so one dialect serves all runs. */
export function legacyServerDialect(): ServerDialect {
  return {
    era: 'legacy',
    opening: { request: 'initialize', notification: 'notifications/initialized' },
    probe: (link, timeoutMs) => link.request('ping', undefined, timeoutMs),
    setLogLevel: (link, level, timeoutMs) => link.request('logging/setLevel', { level }, timeoutMs),
    subscribe: (link, uri, timeoutMs) => link.request('resources/subscribe', { uri }, timeoutMs),
    unsubscribe: (link, uri, timeoutMs) => link.request('resources/unsubscribe', { uri }, timeoutMs),
    cancellation: (requestId, reason) => notificationLine(CANCELLED, { requestId, reason }),
    withdrawal: CANCELLED,
    ownAnswers: new Map([['ping', '{}']]),
    asks: true,
    own: (params) => params,
  };
}

const CANCELLED = 'notifications/cancelled';
