import { INITIALIZE, INITIALIZED, SET_LEVEL, SUBSCRIBE, UNSUBSCRIBE } from '@mcpmux/kit';
import { notificationLine } from '@mcpmux/wire';
import type { ServerDialect } from '../server-dialect.js';

/** Returns the dialect of servers up to the 2025-11-25 revision. It has no state, so one dialect serves all runs. */
export function legacyServerDialect(): ServerDialect {
  return {
    era: 'legacy',
    opening: { request: INITIALIZE, notification: INITIALIZED },
    probe: (link, timeoutMs) => link.request('ping', undefined, timeoutMs),
    setLogLevel: (link, level, timeoutMs) => link.request(SET_LEVEL, { level }, timeoutMs),
    subscribe: (link, uri, timeoutMs) => link.request(SUBSCRIBE, { uri }, timeoutMs),
    unsubscribe: (link, uri, timeoutMs) => link.request(UNSUBSCRIBE, { uri }, timeoutMs),
    cancellationLine: (requestId, reason) => notificationLine(CANCELLED, { requestId, reason }),
    withdrawalMethod: CANCELLED,
    ownAnswers: new Map([['ping', '{}']]),
    sendsRequests: true,
    ownParams: (params) => params,
  };
}

const CANCELLED = 'notifications/cancelled';
