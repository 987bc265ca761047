import type { Principal } from '@mcpmux/core';

import { principalKey } from '../auth/credentials.js';
import { callerKey, type Caller } from '../entrance/caller.js';

/** One MCP session over any HTTP transport. */
export interface FrontSession {
  readonly id: string;
  readonly owner: SessionOwner;
  /** The requests in flight in this session. */
  readonly requests: { readonly size: number; whenIdle(): Promise<void> };
  /** The time since the last use, in milliseconds. 0 while the session is in use. */
  readonly idleMs: number;
  /** The number of bytes that the client has not read yet. */
  readonly unreadBytes: number;
  /** Resolves when the session has ended. */
  readonly closed: Promise<void>;
  /** Ends the session after answering requests in flight and sending queued messages. */
  close(): Promise<void>;
}

/** The caller that may use a session. For every other caller, the session does not exist. */
export class SessionOwner {
  private key: string | undefined;
  private principalKey: string | undefined;

  constructor(private readonly caller: Caller) {}

  /** True if a caller is the owner. Usually both have the same principal object. */
  is(caller: Caller): boolean {
    const { principal, workspace } = this.caller;
    if (caller.principal === principal) return caller.workspace === workspace;
    this.key ??= callerKey(this.caller);
    return callerKey(caller) === this.key;
  }

  /** True if the owner has this principal, at any path. */
  isOf(principal: Principal): boolean {
    if (principal === this.caller.principal) return true;
    this.principalKey ??= principalKey(this.caller.principal);
    return principalKey(principal) === this.principalKey;
  }
}
