import type { OpenRequests } from './open-requests.js';

/** One MCP session over HTTP, whichever transport its client speaks. */
export interface FrontSession {
  /** Undefined until the client was accepted. */
  readonly id: string | undefined;
  /** The `callerKey` of the caller that may use the session. */
  readonly caller: string;
  /** The `principalKey` of its principal. */
  readonly principal: string;
  readonly requests: OpenRequests;
  /** The time since the last use, in milliseconds. 0 while the session is in use. */
  readonly idleMs: number;
  /** Bytes that its client has not read yet. */
  readonly unreadBytes: number;
  /** Resolves when the session is over. */
  readonly closed: Promise<void>;
  /** Ends the session. Requests in flight are answered, and queued messages are sent. */
  close(): Promise<void>;
}
