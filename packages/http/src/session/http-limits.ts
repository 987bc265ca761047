/** The limits of an HTTP front. Sizes are in bytes, times in milliseconds. */
export interface HttpLimits {
  /**
   * The maximum number of concurrent sessions. Beyond it, a new session is rejected unless an idle one can be ended.
   */
  readonly maxSessions: number;
  /** The maximum number of concurrent sessions per principal, if principals are known. */
  readonly maxSessionsPerPrincipal: number;
  /** The maximum number of requests in flight without a session (2026-07-28) per principal, if principals are known. */
  readonly maxRequestsPerPrincipal: number;
  /** How long a session lasts while its client sends no request and has no stream open. */
  readonly sessionIdleMs: number;
  /** How long a session must have been idle before it may be ended to make room for another. */
  readonly evictableAfterMs: number;
  readonly maxConnections: number;
  /** The maximum size of a request body. */
  readonly maxBodyBytes: number;
  /**
   * The maximum number of values in a request body, including keys. Parsing many values would delay all other requests.
   */
  readonly maxBodyValues: number;
  /** How long a client may take to send a request's headers. */
  readonly headersTimeoutMs: number;
  /** How long a client may take to send a request, including its body. */
  readonly requestTimeoutMs: number;
  /** The number of queued bytes above which a connection is closed. Should exceed twice the longest server line. */
  readonly maxUnreadBytes: number;
  /** How long a client may accept none of the queued data before its connection is closed. */
  readonly stallMs: number;
  /** The interval between comments on a stream. They prevent proxies from closing an idle connection. */
  readonly keepAliveMs: number;
  /** How long a request may remain unanswered before its response becomes a stream with keepalives and resumption. */
  readonly streamAfterMs: number;
  /** The maximum number of events to store per session, for clients that reconnect. */
  readonly maxEvents: number;
  readonly maxEventBytes: number;
  readonly maxEventAgeMs: number;
  /** How long a shutdown waits for requests in flight. */
  readonly drainMs: number;
}

/** The default limits of an HTTP front. */
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
