import { ANYBODY, type Principal } from '@mcpmux/core';

import { principalKey } from '../auth/credentials.js';
import { callerKey, type Caller } from '../entrance/caller.js';
import type { HttpLimits } from './http-limits.js';

/** One MCP session over any HTTP transport. */
export interface FrontSession {
  readonly id: string;
  readonly owner: SessionOwner;
  /** The session's requests in flight. */
  readonly requests: { readonly size: number; whenIdle(): Promise<void> };
  /** The time since the last use, in milliseconds. 0 while the session is in use. */
  readonly idleMs: number;
  /** The number of bytes that the client has not read yet. */
  readonly unreadBytes: number;
  /** Resolves once the session has ended. */
  readonly closed: Promise<void>;
  /** Ends the session after responding to requests in flight and sending queued messages. */
  close(): Promise<void>;
}

/** The only caller that may use a session. For any other caller, the session does not exist. */
export class SessionOwner {
  private callerKey: string | undefined;
  private principalKey: string | undefined;

  constructor(private readonly caller: Caller) {}

  /** True if a caller is the owner. In most cases, both have the same principal object, which makes the check cheap. */
  matches(caller: Caller): boolean {
    const { principal, workspace } = this.caller;
    if (caller.principal === principal) return caller.workspace === workspace;
    this.callerKey ??= callerKey(this.caller);
    return callerKey(caller) === this.callerKey;
  }

  /** True if the owner has this principal, at any path. */
  hasPrincipal(principal: Principal): boolean {
    if (principal === this.caller.principal) return true;
    this.principalKey ??= principalKey(this.caller.principal);
    return principalKey(principal) === this.principalKey;
  }
}

/** The open sessions of a front. */
export class HttpSessions {
  private readonly sessionsById = new Map<string, FrontSession>();

  constructor(private readonly limits: HttpLimits) {}

  get size(): number {
    return this.sessionsById.size;
  }

  get openSessions(): readonly FrontSession[] {
    return [...this.sessionsById.values()];
  }

  /** The number of open sessions, of their requests in flight, and of bytes that their clients have not read. */
  get counts(): { readonly open: number; readonly inFlight: number; readonly unreadBytes: number } {
    const { openSessions } = this;
    return {
      open: openSessions.length,
      inFlight: openSessions.reduce((sum, { requests }) => sum + requests.size, 0),
      unreadBytes: openSessions.reduce((sum, { unreadBytes }) => sum + unreadBytes, 0),
    };
  }

  /**
   * Returns the session with this id. Returns undefined if the id is unknown or the session belongs to another caller.
   */
  find(id: string, caller: Caller): FrontSession | undefined {
    const session = this.sessionsById.get(id);
    return session?.owner.matches(caller) === true ? session : undefined;
  }

  /** Registers a session until it ends. */
  add(session: FrontSession): void {
    const { id } = session;
    this.sessionsById.set(id, session);
    void session.closed.then(() => this.sessionsById.delete(id));
  }

  /**
   * Makes room for another session. If a limit has been reached, ends the session that has been idle longest. Returns
   * false if no session has been idle long enough.
   */
  makeRoom(principal: Principal): boolean {
    const { maxSessions, maxSessionsPerPrincipal } = this.limits;
    const principalSessions =
      principal === ANYBODY ? [] : this.openSessions.filter(({ owner }) => owner.hasPrincipal(principal));
    if (principalSessions.length >= maxSessionsPerPrincipal) return this.evictLongestIdle(principalSessions);
    return this.sessionsById.size < maxSessions || this.evictLongestIdle(this.openSessions);
  }

  /** Ends sessions that have been idle for too long. */
  endIdleSessions(): void {
    for (const session of this.openSessions) {
      if (session.idleMs >= this.limits.sessionIdleMs) this.endSession(session);
    }
  }

  /** Waits up to `drainMs` for the responses to requests in flight, then ends all sessions. */
  async drain(waitAtMost: (event: Promise<unknown>) => Promise<unknown>): Promise<void> {
    await waitAtMost(Promise.all(this.openSessions.map(({ requests }) => requests.whenIdle())));
    await Promise.all(this.openSessions.map((session) => session.close()));
  }

  private evictLongestIdle(sessions: readonly FrontSession[]): boolean {
    let idlest: FrontSession | undefined;
    let mostMs = this.limits.evictableAfterMs;
    for (const session of sessions) {
      const { idleMs } = session;
      if (idleMs < mostMs || (idleMs === mostMs && idlest !== undefined)) continue;
      idlest = session;
      mostMs = idleMs;
    }
    if (idlest !== undefined) this.endSession(idlest);
    return idlest !== undefined;
  }

  private endSession(session: FrontSession): void {
    this.sessionsById.delete(session.id);
    void session.close();
  }
}
