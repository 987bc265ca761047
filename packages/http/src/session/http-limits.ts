/** Limits of the HTTP front. Sizes are in bytes, times in milliseconds. */
export interface HttpLimits {
  /** Concurrent sessions. A further session is refused unless an existing session is idle. */
  readonly maxSessions: number;
  /** Concurrent sessions per principal, if principals are known. */
  readonly maxSessionsPerPrincipal: number;
  /** Requests without a session (revision 2026-07-28) in flight per principal, if principals are known. */
  readonly maxRequestsPerPrincipal: number;
  /** A session that receives no request and reads nothing for this time is ended. */
  readonly sessionIdleMs: number;
  /** At the session limit, a session that was idle for this time is ended to make room. */
  readonly evictableAfterMs: number;
  readonly maxConnections: number;
  /** The body size of one request. */
  readonly maxBodyBytes: number;
  /**
   * The number of values in the body of one request, keys included. Building values from one body delays all other
   * requests.
   */
  readonly maxBodyValues: number;
  /** The maximum time from the first byte of a request to the end of its headers. */
  readonly headersTimeoutMs: number;
  /** The maximum time from the first byte of a request to the end of its body. */
  readonly requestTimeoutMs: number;
  /**
   * Bytes queued per connection. Above the limit, the connection closes. The limit exceeds two of the longest server
   * lines.
   */
  readonly maxUnreadBytes: number;
  /** A connection that accepts no queued data for this time is closed. */
  readonly stallMs: number;
  /** The interval between comments on a stream without messages, so that no proxy drops the stream as dead. */
  readonly keepAliveMs: number;
  /** A request without a response after this time is answered on a stream, which is kept alive and can be resumed. */
  readonly streamAfterMs: number;
  /** Events kept per session, for clients that reconnect. */
  readonly maxEvents: number;
  readonly maxEventBytes: number;
  readonly maxEventAgeMs: number;
  /** The time that requests in flight have to finish when mcpmux shuts down. */
  readonly drainMs: number;
}

/** The limits of a front without configured limits. */
export const DEFAULT_HTTP_LIMITS: HttpLimits = Object.freeze({
  maxSessions: 256,
  maxSessionsPerPrincipal: 64,
  maxRequestsPerPrincipal: 256,
  sessionIdleMs: 600_000,
  evictableAfterMs: 30_000,
  maxConnections: 1024,
  maxBodyBytes: 4 * 1024 * 1024,
  maxBodyValues: 50_000,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  maxUnreadBytes: 24 * 1024 * 1024,
  stallMs: 60_000,
  keepAliveMs: 15_000,
  streamAfterMs: 1000,
  maxEvents: 1000,
  maxEventBytes: 1024 * 1024,
  maxEventAgeMs: 300_000,
  drainMs: 500,
});
