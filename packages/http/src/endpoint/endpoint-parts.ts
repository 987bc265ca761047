import type { ClientSession, Link, Logger } from '@mcpmux/core';

import type { Caller } from '../entrance/caller.js';
import type { FrontSession } from '../session/front-session.js';
import type { HttpLimits } from '../session/http-limits.js';
import type { HttpSessions } from '../session/http-sessions.js';
import type { LargeBodies } from './large-bodies.js';
import type { FrontMetrics } from '../metrics/front-metrics.js';

/** What a path at which MCP is served works with. */
export interface EndpointParts {
  /** Opens the session of the mux behind one over HTTP. */
  readonly connect: (link: Link, caller: Caller) => ClientSession;
  readonly logger: Logger;
  readonly now: () => number;
  readonly limits: HttpLimits;
  readonly largeBodies: LargeBodies;
  readonly sessions: HttpSessions;
  readonly metrics: FrontMetrics;
}

/** A client was accepted: its session counts from now on. */
export function noteOpened(session: FrontSession, { sessions, metrics, logger }: EndpointParts): void {
  sessions.add(session);
  metrics.sessionOpened();
  logger.log('debug', 'a client has opened a session over HTTP', { sessions: sessions.size });
}
