import type { RenewedSet } from '@mcpmux/wire';
import type { Upstream } from '../../upstream/upstream.js';
import type { Session } from './session.js';

/** Finds the sessions that a server speaks to. Others do not see the server, and call nothing there. */
export class Audience {
  constructor(readonly sessions: Pick<RenewedSet<Session>, 'has'> & Iterable<Session>) {}

  has(client: object): boolean {
    return (this.sessions as Pick<ReadonlySet<object>, 'has'>).has(client);
  }

  /** The sessions whose layer sees the server. */
  seeing({ layer }: Upstream): readonly Session[] {
    return [...this.sessions].filter((session) => session.layer.sees(layer));
  }

  /** The sessions that expect notifications. */
  live(upstream: Upstream): readonly Session[] {
    return this.seeing(upstream).filter(({ isLive }) => isLive);
  }

  /** The sessions to which any entry of the server is visible. */
  listening(upstream: Upstream): readonly Session[] {
    return this.live(upstream).filter(({ view }) => view.sees(upstream));
  }
}
