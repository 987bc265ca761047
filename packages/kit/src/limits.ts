/**
 * One mux's limits that a host can set through `MuxOptions.limits`.
 *
 * Each has a default. Sizes are in bytes, times in milliseconds.
 */
export interface Limits {
  /** The maximum length of a line from a client or a server. SDK peers disconnect above 10,485,760. */
  readonly maxLineBytes: number;
  /**
   * The length above which a line disconnects its peer. A line between `maxLineBytes` and this limit is only discarded.
   */
  readonly maxEndlessLineBytes: number;
  /**
   * The maximum number of registered servers. Further servers are rejected. Each workspace and each session may use up
   * to a quarter of the limit, and is always allowed at least one. Session instances do not count.
   */
  readonly maxServers: number;
  /** The maximum number of calls in flight to one server. Further calls are rejected as busy. */
  readonly maxPendingPerServer: number;
  /** The maximum number of requests in flight from one client to all servers. Further requests are rejected as busy. */
  readonly maxPendingPerClient: number;
  /** The maximum number of entries to accept from each of a server's lists. */
  readonly maxToolsPerServer: number;
  /** How long a server may take to start, including the waits for a start slot and for its first lists. */
  readonly startTimeoutMs: number;
  /** How long `add_server` waits before it answers "still starting". Hosts time out calls after 60 s. */
  readonly addAnswerTimeoutMs: number;
  /** How long calls in flight may take to finish when their server is removed or reloaded. */
  readonly drainMs: number;
}

/** All limits of one mux. The limits that are not in {@link Limits} are constants, which only tests replace. */
export interface AllLimits extends Limits {
  /** The number of bytes queued for one client at which its servers are paused until few remain (see `WriteQueue`). */
  readonly clientHighWatermarkBytes: number;
  /**
   * The number of bytes queued at which a client that shares servers is disconnected. A client over an SDK transport,
   * which cannot be paused, is also disconnected if its waiting requests exceed this size while it does not read.
   */
  readonly maxClientQueueBytes: number;
  /** The maximum number of bytes queued for one server that does not read. Above it, calls are rejected as busy. */
  readonly maxServerQueueBytes: number;
  /** How long a server may read none of its queued input before it is stopped. */
  readonly stallMs: number;
  /** The maximum number of one server's stderr lines to log per second. Further lines are only counted. */
  readonly maxStderrLinesPerSecond: number;
  /**
   * The maximum number of one server's log messages per second and, counted separately, of its progress notifications.
   * Further messages are counted and dropped.
   */
  readonly maxNotificationsPerSecond: number;
  /**
   * The maximum number of servers' requests that one client has not answered. mcpmux rejects further requests for it.
   */
  readonly maxAskedPerClient: number;
  /** The maximum number of connections from one client to other mcpmux instances. Further connections are rejected. */
  readonly maxInstancesPerClient: number;
  /** The time limit for the first requests to another instance. */
  readonly instanceStartTimeoutMs: number;
  /** How long a call to another instance may go without a message before it fails. */
  readonly instanceCallTimeoutMs: number;
  /** How long another instance may be silent before mcpmux sends it a ping. Also the time limit for the ping. */
  readonly instancePingMs: number;
  /** The time limit for one page of a list that mcpmux itself requests after the server has started. */
  readonly listTimeoutMs: number;
  /** The maximum number of pages to read from one of a server's lists. */
  readonly maxListPages: number;
  /** The maximum total size of the entries in one of a server's lists, as JSON. */
  readonly maxListBytesPerServer: number;
  /** The size, as JSON, above which a merged list is paged. SDK peers accept lines up to 10,485,760. */
  readonly listPageBytes: number;
  /** How long requests in flight may take to finish after the client has closed its side. */
  readonly drainOnEndMs: number;
  /** How long after mcpmux has given up on a server a call may restart it. */
  readonly retryGivenUpMs: number;
  /** How long a workspace without clients keeps the servers that were added to it. */
  readonly workspaceIdleMs: number;
  /** How long a request that was answered with questions waits for its retry, which contains the answers. */
  readonly parkMs: number;
  /** The maximum number of requests that wait for such a retry. Beyond it, the oldest is dropped. */
  readonly maxParkedCalls: number;
  /** The maximum number of such requests from one client, or from one principal for requests without a connection. */
  readonly maxParkedPerClient: number;
  /** The maximum number of such requests to one server run. Each is still in progress on the server. */
  readonly maxParkedPerServer: number;
  /** The time window in which changes to the lists are merged into one `list_changed`. */
  readonly listChangedDelayMs: number;
  /** The same window while servers are starting, so that all their changes are announced together. */
  readonly listChangedStartingMs: number;
  /**
   * How long the response to `add_server`, `reload_server` or `remove_server` waits until a client has requested the
   * list after `list_changed`. mcpmux waits only for clients that do request the list.
   */
  readonly listRequestMs: number;
  /** The maximum wait for a client that is known to request the list after `list_changed`. Some do so once a second. */
  readonly listRhythmMs: number;
  /** How long a client's first `tools/list` waits for servers that are starting. */
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
