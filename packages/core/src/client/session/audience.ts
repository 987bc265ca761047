import type { RenewedSet } from '@mcpmux/wire';
import type { Upstream } from '../../server/upstream.js';
import type { RequestClient } from './request-client.js';
import type { Session } from './session.js';

/** Finds the clients that may receive a server's messages. */
export class Audience {
  constructor(
    readonly sessions: Pick<RenewedSet<Session>, 'has'> & Iterable<Session>,
    private readonly requests: Pick<RenewedSet<RequestClient>, 'has'> & Iterable<RequestClient>,
  ) {}

  /** True for a connected client, and for a client without a connection whose request is open. */
  has(client: object): boolean {
    return this.isSession(client) || (this.requests as Pick<ReadonlySet<object>, 'has'>).has(client);
  }

  isSession(client: object): client is Session {
    return (this.sessions as Pick<ReadonlySet<object>, 'has'>).has(client);
  }

  /** Returns the open requests of clients without a connection whose layers see the server. */
  requestsSeeing({ layer }: Upstream): readonly RequestClient[] {
    return [...this.requests].filter((request) => request.layer.sees(layer));
  }

  /** Returns the sessions whose layer sees the server. */
  sessionsSeeing({ layer }: Upstream): readonly Session[] {
    return [...this.sessions].filter((session) => session.layer.sees(layer));
  }

  /** Returns the sessions whose layer sees the server and whose clients expect notifications. */
  liveSessions(upstream: Upstream): readonly Session[] {
    return this.sessionsSeeing(upstream).filter(({ isLive }) => isLive);
  }

  /** Returns the live sessions that can see at least one of the server's entries. */
  listeningSessions(upstream: Upstream): readonly Session[] {
    return this.liveSessions(upstream).filter(({ view }) => view.sees(upstream));
  }
}
