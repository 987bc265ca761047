/** Limits of the HTTP front. Sizes are in bytes, times in milliseconds. */
export interface HttpLimits {
  /** The maximum number of concurrent sessions. Beyond it, a new session is refused unless an idle one can be ended. */
  readonly maxSessions: number;
  /** The maximum number of concurrent sessions per principal, if principals are known. */
  readonly maxSessionsPerPrincipal: number;
  /** The maximum number of requests in flight without a session (2026-07-28) per principal, if principals are known. */
  readonly maxRequestsPerPrincipal: number;
  /** The time after which a session ends if its client sends no request and has no stream open. */
  readonly sessionIdleMs: number;
  /** The idle time after which a session may be ended to make room at the session limit. */
  readonly evictableAfterMs: number;
  readonly maxConnections: number;
  /** The maximum size of a request body. */
  readonly maxBodyBytes: number;
  /** The maximum number of values in a request body, including keys. Building the values delays all other requests. */
  readonly maxBodyValues: number;
  /** The maximum time from the first byte of a request to the end of its headers. */
  readonly headersTimeoutMs: number;
  /** The maximum time from the first byte of a request to the end of its body. */
  readonly requestTimeoutMs: number;
  /** The number of queued bytes above which a connection is closed. Should exceed twice the longest server line. */
  readonly maxUnreadBytes: number;
  /** The time after which a connection is closed if its client accepts none of the queued data. */
  readonly stallMs: number;
  /** The interval between comments on a stream, which prevent proxies from closing an idle connection. */
  readonly keepAliveMs: number;
  /** The time after which the response to an unanswered request becomes a stream with keepalives and resumption. */
  readonly streamAfterMs: number;
  /** The maximum number of stored events per session, for clients that reconnect. */
  readonly maxEvents: number;
  readonly maxEventBytes: number;
  readonly maxEventAgeMs: number;
  /** The maximum time for which a shutdown waits for requests in flight. */
  readonly drainMs: number;
}

/** The default limits of a front. */
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
