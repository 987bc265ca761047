import type { OpenRequests } from './open-requests.js';

/** One MCP session over HTTP, whichever transport its client speaks. */
export interface FrontSession {
  /** Undefined until the client was accepted. */
  readonly id: string | undefined;
  /** `callerKey` of whoever may use it. */
  readonly caller: string;
  /** `principalKey` of its principal. */
  readonly principal: string;
  readonly requests: OpenRequests;
  /** For how long nobody has used it, in milliseconds. */
  readonly idleMs: number;
  /** Bytes that its connections have not taken yet. */
  readonly unreadBytes: number;
  /** Resolves when the session is over. */
  readonly closed: Promise<void>;
  /** Ends the session: what is in flight is answered, what is queued is sent. */
  close(): Promise<void>;
}
