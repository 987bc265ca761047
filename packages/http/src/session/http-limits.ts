/** Limits of the HTTP front. Sizes are in bytes, times in milliseconds. */
export interface HttpLimits {
  /** Sessions at the same time; one more is refused unless one of them is idle. */
  readonly maxSessions: number;
  /** Sessions of one principal at the same time, where principals are known. */
  readonly maxSessionsPerPrincipal: number;
  /** A session that is asked nothing and reads nothing for this long is ended. */
  readonly sessionIdleMs: number;
  /** When all places are taken, a session that was idle for this long gives its place up. */
  readonly yieldAfterMs: number;
  readonly maxConnections: number;
  /** The body of one request. */
  readonly maxBodyBytes: number;
  /** From the first byte of a request to the end of its headers. */
  readonly headersTimeoutMs: number;
  /** From the first byte of a request to the end of its body. */
  readonly requestTimeoutMs: number;
  /** Queued towards one connection: above it, it is closed. More than two of the longest lines that a server may send. */
  readonly maxUnreadBytes: number;
  /** A connection that takes nothing of what is queued for this long is closed. */
  readonly stallMs: number;
  /** A stream without messages carries a comment this often, so that nobody in between takes it for dead. */
  readonly keepAliveMs: number;
  /** What is kept of a session for clients that come back. */
  readonly maxEvents: number;
  readonly maxEventBytes: number;
  readonly maxEventAgeMs: number;
  /** Requests in flight when mcpmux is told to end may take this long to be answered. */
  readonly drainMs: number;
}

/** The limits of a front that sets none. */
export const DEFAULT_HTTP_LIMITS: HttpLimits = Object.freeze({
  maxSessions: 256,
  maxSessionsPerPrincipal: 64,
  sessionIdleMs: 600_000,
  yieldAfterMs: 30_000,
  maxConnections: 1024,
  maxBodyBytes: 4 * 1024 * 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  maxUnreadBytes: 24 * 1024 * 1024,
  stallMs: 60_000,
  keepAliveMs: 15_000,
  maxEvents: 1000,
  maxEventBytes: 1024 * 1024,
  maxEventAgeMs: 300_000,
  drainMs: 500,
});
