/**
 * Limits of one mux. Each has a default and can be set through `MuxOptions.limits`.
 *
 * Sizes are in bytes, times in milliseconds.
 */
export interface Limits {
  /** Longest line accepted from a client or a server. SDK peers close the connection above 10,485,760. */
  readonly maxLineBytes: number;
  /** A line above this counts as endless: its peer is disconnected. Between `maxLineBytes` and this it is discarded. */
  readonly maxEndlessLineBytes: number;
  /** Bytes queued for one client that pause its servers until few are left (`WriteQueue` of `@mcpmux/wire`). */
  readonly clientHighWatermarkBytes: number;
  /**
   * Bytes queued for one client that disconnect it if it shares servers. A client over an SDK transport, which
   * cannot be paused, is also disconnected if that much is unread and as much of its further requests is waiting.
   */
  readonly maxClientQueueBytes: number;
  /** Bytes queued for one server that does not read, above which calls are refused as busy. */
  readonly maxServerQueueBytes: number;
  /** Time without reading any of its queued input after which a server is stopped. */
  readonly stallMs: number;
  /** Stderr lines of one server logged per second; further lines are only counted. */
  readonly maxStderrLinesPerSecond: number;
  /** Log messages, and separately progress notifications, of one server per second; more are dropped and counted. */
  readonly maxNotificationsPerSecond: number;
  /** Calls in flight at one server; further calls are refused as busy. */
  readonly maxPendingPerServer: number;
  /** Requests of one client in flight, at all servers together; further requests are refused as busy. */
  readonly maxPendingPerClient: number;
  /** Unanswered requests of servers to one client; mcpmux refuses further requests on the client's behalf. */
  readonly maxAskedPerClient: number;
  /**
   * Registered servers; further servers are refused. Each workspace, and each session, may hold a quarter of the limit,
   * but at least one. Per-session instances of a server with `isolation: 'session'` do not count.
   */
  readonly maxServers: number;
  /** Connections of one client to other instances of mcpmux; further connections are refused. */
  readonly maxInstancesPerClient: number;
  /** Timeout for the first requests to another instance. */
  readonly instanceStartTimeoutMs: number;
  /** Time without any message for a call at another instance after which the call fails. */
  readonly instanceCallTimeoutMs: number;
  /** Silence of another instance after which a ping is sent; also the timeout for its answer. */
  readonly instancePingMs: number;
  /** Time from the beginning of a start, including the wait for a slot, to the end of the first lists. */
  readonly startTimeoutMs: number;
  /** Timeout for one page of a list that mcpmux itself requests after the start. */
  readonly listTimeoutMs: number;
  /** Maximum pages read of one list of one server. */
  readonly maxListPages: number;
  /** Maximum entries taken from each list of one server. */
  readonly maxToolsPerServer: number;
  /** Maximum total size of the entries of one list of one server, in bytes of JSON. */
  readonly maxListBytesPerServer: number;
  /** Size above which a merged list is paged, in bytes of JSON. SDK peers accept lines up to 10,485,760. */
  readonly listPageBytes: number;
  /** Time after which `add_server` answers "still starting", because hosts time out calls after 60 s. */
  readonly addAnswerTimeoutMs: number;
  /** Time for calls in flight to finish at a server that is removed or reloaded. */
  readonly drainMs: number;
  /** Time for requests in flight to be answered after the client closes its side. */
  readonly drainOnEndMs: number;
  /** Time after its restarts were given up from which a call starts the server once more. */
  readonly retryGivenUpMs: number;
  /** Time for which a workspace without clients keeps the servers that were added in it. */
  readonly workspaceIdleMs: number;
  /** Time for which a request that was answered with questions waits for the retry that brings the answers. */
  readonly parkMs: number;
  /** Requests that wait for such a retry; the oldest is given up beyond. */
  readonly maxParkedCalls: number;
  /** The same for one client, or for the requests of one principal that come without a connection. */
  readonly maxParkedPerClient: number;
  /** The same for one run of a server, which is at work on all of them. */
  readonly maxParkedPerServer: number;
  /** Time window within which changes of the lists are merged into one `list_changed`. */
  readonly listChangedDelayMs: number;
  /** The same window while servers are starting: they are announced together. */
  readonly listChangedStartingMs: number;
  /**
   * Time for which the answer of `add_server`, `reload_server` and `remove_server` waits for a client that was sent
   * `list_changed` to request the list. Only clients that do request it are waited for.
   */
  readonly listRequestMs: number;
  /** The same time for a client that has requested the list after `list_changed`, or is known to: some do so once a second. */
  readonly listRhythmMs: number;
  /** Time for which the first `tools/list` of a client waits for servers that are starting. */
  readonly firstListMs: number;
}

/** The limits of a mux that sets none. */
export const DEFAULT_LIMITS: Limits = Object.freeze({
  maxLineBytes: 10_000_000,
  maxEndlessLineBytes: 64 * 1024 * 1024,
  clientHighWatermarkBytes: 1024 * 1024,
  maxClientQueueBytes: 64 * 1024 * 1024,
  maxServerQueueBytes: 16 * 1024 * 1024,
  stallMs: 30_000,
  maxStderrLinesPerSecond: 100,
  maxNotificationsPerSecond: 1000,
  maxPendingPerServer: 16_384,
  maxPendingPerClient: 16_384,
  maxAskedPerClient: 1024,
  maxServers: 256,
  maxInstancesPerClient: 8,
  instanceStartTimeoutMs: 15_000,
  instanceCallTimeoutMs: 600_000,
  instancePingMs: 10_000,
  startTimeoutMs: 60_000,
  listTimeoutMs: 10_000,
  maxListPages: 64,
  maxToolsPerServer: 1000,
  maxListBytesPerServer: 5_000_000,
  listPageBytes: 4_000_000,
  addAnswerTimeoutMs: 50_000,
  drainMs: 1000,
  drainOnEndMs: 500,
  retryGivenUpMs: 300_000,
  workspaceIdleMs: 600_000,
  parkMs: 600_000,
  maxParkedCalls: 1024,
  maxParkedPerClient: 128,
  maxParkedPerServer: 512,
  listChangedDelayMs: 20,
  listChangedStartingMs: 1000,
  listRequestMs: 300,
  listRhythmMs: 2000,
  firstListMs: 5000,
});
