import type { Channel, ClientSession, Logger } from '@mcpmux/core';

import type { Caller } from '../entrance/caller.js';
import type { FrontPeers } from '../entrance/front-peers.js';
import type { HttpLimits } from '../session/http-limits.js';
import type { FrontSession, HttpSessions } from '../session/http-sessions.js';
import type { FrontMetrics } from '../metrics/front-metrics.js';
import type { ModernPosts } from '../modern/modern-posts.js';
import type { BodyReader } from './read-body.js';

/** The dependencies of an MCP endpoint. */
export interface EndpointParts {
  /** Opens the mux session for an HTTP session. */
  readonly openMuxSession: (link: Channel, caller: Caller) => ClientSession;
  readonly logger: Logger;
  readonly now: () => number;
  readonly limits: HttpLimits;
  readonly bodies: BodyReader;
  readonly sessions: HttpSessions;
  readonly metrics: FrontMetrics;
  readonly modern: ModernPosts;
  /** The other fronts at the same address. Undefined if this is the only front. */
  readonly peers?: FrontPeers | undefined;
}

/** Registers, counts and logs a new session. */
export function registerSession(session: FrontSession, { sessions, metrics, logger }: EndpointParts): void {
  sessions.add(session);
  metrics.recordOpenedSession();
  logger.log('debug', 'a client has opened a session over HTTP', { sessions: sessions.size });
}
