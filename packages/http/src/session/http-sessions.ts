import { ANYBODY, type Principal } from '@mcpmux/core';

import type { Caller } from '../entrance/caller.js';
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

  /**
   * The number of open sessions, the number of their requests in flight, and the bytes that their clients have not
   * read.
   */
  get counts(): { readonly open: number; readonly inFlight: number; readonly unreadBytes: number } {
    const { all } = this;
    return {
      open: all.length,
      inFlight: all.reduce((sum, { requests }) => sum + requests.size, 0),
      unreadBytes: all.reduce((sum, { unreadBytes }) => sum + unreadBytes, 0),
    };
  }

  /** Returns the session with this id. Returns undefined for an unknown id and for a session of another caller. */
  find(id: string, caller: Caller): FrontSession | undefined {
    const session = this.byId.get(id);
    return session?.owner.is(caller) === true ? session : undefined;
  }

  /** Registers a session until it ends. */
  add(session: FrontSession): void {
    const { id } = session;
    this.byId.set(id, session);
    void session.closed.then(() => this.byId.delete(id));
  }

  /**
   * True if another session may open. At a limit, ends the session with the longest idle time. False if no session has
   * been idle for long enough.
   */
  hasPlace(principal: Principal): boolean {
    const { maxSessions, maxSessionsPerPrincipal } = this.limits;
    const own = principal === ANYBODY ? [] : this.all.filter(({ owner }) => owner.isOf(principal));
    if (own.length >= maxSessionsPerPrincipal) return this.giveWay(own);
    return this.byId.size < maxSessions || this.giveWay(this.all);
  }

  /** Ends sessions that have been idle for too long. */
  endIdle(): void {
    for (const session of this.all) {
      if (session.idleMs >= this.limits.sessionIdleMs) this.end(session);
    }
  }

  /** Waits up to `drainMs` for requests in flight, then ends all sessions. */
  async drain(waitAtMost: (event: Promise<unknown>) => Promise<unknown>): Promise<void> {
    await waitAtMost(Promise.all(this.all.map(({ requests }) => requests.whenIdle())));
    await Promise.all(this.all.map((session) => session.close()));
  }

  private giveWay(sessions: readonly FrontSession[]): boolean {
    let idlest: FrontSession | undefined;
    let mostMs = this.limits.evictableAfterMs;
    for (const session of sessions) {
      const { idleMs } = session;
      if (idleMs < mostMs || (idleMs === mostMs && idlest !== undefined)) continue;
      idlest = session;
      mostMs = idleMs;
    }
    if (idlest !== undefined) this.end(idlest);
    return idlest !== undefined;
  }

  private end(session: FrontSession): void {
    this.byId.delete(session.id);
    void session.close();
  }
}
