import { notificationLine } from '@mcpmux/wire';
import type { ServerDialect } from '../server-dialect.js';
import type { Implementation } from '../server-identity.js';
import { initialize } from './handshake.js';

/** The dialect of servers up to the 2025-11-25 revision, to which mcpmux is `clientInfo`. */
export function legacyServerDialect(clientInfo: Implementation): ServerDialect {
  return {
    era: 'legacy',
    opening: { request: 'initialize', notification: 'notifications/initialized' },
    open: (link, as, timeoutMs) => initialize(link, clientInfo, as, timeoutMs),
    probe: (link, timeoutMs) => link.request('ping', undefined, timeoutMs),
    setLogLevel: (link, level, timeoutMs) => link.request('logging/setLevel', { level }, timeoutMs),
    subscribe: (link, uri, timeoutMs) => link.request('resources/subscribe', { uri }, timeoutMs),
    unsubscribe: (link, uri, timeoutMs) => link.request('resources/unsubscribe', { uri }, timeoutMs),
    cancellation: (requestId, reason) => notificationLine(CANCELLED, { requestId, reason }),
    withdrawal: CANCELLED,
    ownAnswers: new Map([['ping', '{}']]),
  };
}

const CANCELLED = 'notifications/cancelled';
