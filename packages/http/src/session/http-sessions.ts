import type { Principal } from '@mcpmux/core';

import { ANYBODY, principalKey } from '../auth/credentials.js';
import { callerKey, type Caller } from '../entrance/caller.js';
import type { FrontSession } from './front-session.js';
import type { HttpLimits } from './http-limits.js';

/** The open sessions of a front. */
export class HttpSessions {
  private readonly byId = new Map<string, FrontSession>();

  constructor(private readonly limits: HttpLimits) {}

  get size(): number {
    return this.byId.size;
  }

  get all(): readonly FrontSession[] {
    return [...this.byId.values()];
  }

  /** Open sessions, their requests in flight, and the bytes that their clients have not taken. */
  get counts(): { readonly open: number; readonly inFlight: number; readonly unreadBytes: number } {
    const { all } = this;
    return {
      open: all.length,
      inFlight: all.reduce((sum, { requests }) => sum + requests.size, 0),
      unreadBytes: all.reduce((sum, { unreadBytes }) => sum + unreadBytes, 0),
    };
  }

  /** The session of that id and caller. What is another's is as unknown as what never was. */
  find(id: string, caller: Caller): FrontSession | undefined {
    const session = this.byId.get(id);
    return session?.caller === callerKey(caller) ? session : undefined;
  }

  /** Keeps a session until it is over. */
  add(session: FrontSession): void {
    const { id } = session;
    if (id === undefined) return;
    this.byId.set(id, session);
    void session.closed.then(() => this.byId.delete(id));
  }

  /**
   * False when all places are taken, or all that a known principal may have, by sessions that are all in use. The one of
   * them that was idle longest gives way.
   */
  hasPlace(principal: Principal): boolean {
    const { maxSessions, maxSessionsPerPrincipal } = this.limits;
    const key = principalKey(principal);
    const own = principal === ANYBODY ? [] : this.all.filter((session) => session.principal === key);
    if (own.length >= maxSessionsPerPrincipal) return this.giveWay(own);
    return this.byId.size < maxSessions || this.giveWay(this.all);
  }

  /** Ends those that nobody has used for long. */
  endIdle(): void {
    for (const session of this.all) {
      if (session.idleMs >= this.limits.sessionIdleMs) this.end(session);
    }
  }

  /** Lets what is in flight finish, for no longer than `drainMs`, and ends all sessions. */
  async drain(waitAtMost: (event: Promise<unknown>) => Promise<unknown>): Promise<void> {
    await waitAtMost(Promise.all(this.all.map(({ requests }) => requests.whenIdle())));
    await Promise.all(this.all.map((session) => session.close()));
  }

  private giveWay(sessions: readonly FrontSession[]): boolean {
    const [idlest] = sessions.toSorted((a, b) => b.idleMs - a.idleMs);
    if (idlest === undefined || idlest.idleMs < this.limits.yieldAfterMs) return false;
    this.end(idlest);
    return true;
  }

  private end(session: FrontSession): void {
    if (session.id !== undefined) this.byId.delete(session.id);
    void session.close();
  }
}
