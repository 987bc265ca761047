/**
 * The limits of one mux that a host can set through `MuxOptions.limits`. Each has a default.
 *
 * Sizes are in bytes, times in milliseconds.
 */
export interface Limits {
  /** Maximum length of a line from a client or a server. An SDK peer disconnects above 10,485,760. */
  readonly maxLineBytes: number;
  /** Length above which a line disconnects its peer. A line between `maxLineBytes` and this limit is only discarded. */
  readonly maxEndlessLineBytes: number;
  /**
   * Maximum number of registered servers; further servers are refused. Each workspace and each session may use up to a
   * quarter of the limit, and is always allowed at least one. Session instances (`isolation: 'session'`) are not
   * counted.
   */
  readonly maxServers: number;
  /** Maximum number of calls in flight to one server. Further calls are refused as busy. */
  readonly maxPendingPerServer: number;
  /**
   * Maximum number of requests of one client in flight, to all servers together. Further requests are refused as busy.
   */
  readonly maxPendingPerClient: number;
  /** Maximum number of entries to accept from each list of a server. */
  readonly maxToolsPerServer: number;
  /** Maximum time for a server to start, including the waits for a start slot and for its first lists. */
  readonly startTimeoutMs: number;
  /** Time after which `add_server` answers "still starting", because hosts time out calls after 60 s. */
  readonly addAnswerTimeoutMs: number;
  /** Time allowed for calls in flight to finish when their server is removed or reloaded. */
  readonly drainMs: number;
}

/** All limits of one mux. The limits that are not in {@link Limits} are constants, which only tests replace. */
export interface AllLimits extends Limits {
  /** Bytes queued for one client at which its servers are paused until few remain (`WriteQueue` of `@mcpmux/wire`). */
  readonly clientHighWatermarkBytes: number;
  /**
   * Bytes queued for one client at which it is disconnected if it shares servers. A client over an SDK transport, which
   * cannot be paused, is also disconnected if its waiting requests exceed this size while it does not read.
   */
  readonly maxClientQueueBytes: number;
  /** Maximum number of bytes queued for one server that does not read. Above this limit, calls are refused as busy. */
  readonly maxServerQueueBytes: number;
  /** Time after which a server is stopped if it reads none of its queued input. */
  readonly stallMs: number;
  /** Maximum number of stderr lines of one server that are logged per second. Further lines are only counted. */
  readonly maxStderrLinesPerSecond: number;
  /**
   * Maximum number of log messages of one server per second. The same limit applies separately to its progress
   * notifications. Further messages are dropped and counted.
   */
  readonly maxNotificationsPerSecond: number;
  /** Maximum number of unanswered server requests to one client. mcpmux refuses further ones on the client's behalf. */
  readonly maxAskedPerClient: number;
  /** Maximum number of connections from one client to other mcpmux instances. Further connections are refused. */
  readonly maxInstancesPerClient: number;
  /** Timeout for the first requests to another instance. */
  readonly instanceStartTimeoutMs: number;
  /** Time after which a call to another instance fails if no message arrives. */
  readonly instanceCallTimeoutMs: number;
  /** Time without messages from another instance after which mcpmux sends a ping. Also the ping's timeout. */
  readonly instancePingMs: number;
  /** Timeout for one page of a list that mcpmux itself requests after the server's start. */
  readonly listTimeoutMs: number;
  /** Maximum number of pages to read from one list of a server. */
  readonly maxListPages: number;
  /** Maximum total size of the entries in one list of a server, in bytes of JSON. */
  readonly maxListBytesPerServer: number;
  /** Size above which a merged list is paged, in bytes of JSON. SDK peers accept lines up to 10,485,760. */
  readonly listPageBytes: number;
  /** Time allowed for requests in flight to finish after the client has closed its side. */
  readonly drainOnEndMs: number;
  /** Time after which a call restarts a server that mcpmux has given up on. */
  readonly retryGivenUpMs: number;
  /** Time for which a workspace without clients keeps the servers that were added to it. */
  readonly workspaceIdleMs: number;
  /** Time for which a request that was answered with questions waits for the retry with the answers. */
  readonly parkMs: number;
  /** Maximum number of requests that wait for such a retry. Above the limit, the oldest is dropped. */
  readonly maxParkedCalls: number;
  /** Maximum number of such requests from one client, or from one principal if the requests have no connection. */
  readonly maxParkedPerClient: number;
  /** Maximum number of such requests to one server run, because each is still in progress on the server. */
  readonly maxParkedPerServer: number;
  /** Time window within which changes to the lists are merged into one `list_changed`. */
  readonly listChangedDelayMs: number;
  /** The same window while servers are starting, so that their changes are announced together. */
  readonly listChangedStartingMs: number;
  /**
   * Maximum time for which the answer to `add_server`, `reload_server` or `remove_server` waits until a client has
   * requested the list after `list_changed`. mcpmux waits only for clients that do request the list.
   */
  readonly listRequestMs: number;
  /** Maximum wait for a client known to request the list after `list_changed`; some do so only once a second. */
  readonly listRhythmMs: number;
  /** Time for which the first `tools/list` of a client waits for servers that are starting. */
  readonly firstListMs: number;
}

/** The default limits of a mux. */
export const DEFAULT_LIMITS: AllLimits = Object.freeze({
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
