/**
 * Limits of one mux. All have a default, all can be set through `MuxOptions.limits`.
 *
 * Sizes are in bytes, times in milliseconds.
 */
export interface Limits {
  /** Longest line accepted from a client or a server. SDK peers close the connection above 10,485,760. */
  readonly maxLineBytes: number;
  /** A line above this has no end: its peer is disconnected. Above `maxLineBytes` and below this it is only discarded. */
  readonly maxEndlessLineBytes: number;
  /** Queued towards one client: above it, the servers that feed it are paused until little waits (`WriteQueue` of `@mcpmux/wire`). */
  readonly clientHighWatermarkBytes: number;
  /**
   * Queued towards one client that shares its servers with others: above it, the client is dropped. One over an SDK transport
   * is dropped too when it leaves so much unread, asks on, and as much of that waits: such a transport cannot be paused.
   */
  readonly maxClientQueueBytes: number;
  /** Queued towards one server that does not read: above it, calls are refused as busy. */
  readonly maxServerQueueBytes: number;
  /** A server that takes nothing of what is sent to it for this long is stopped. */
  readonly stallMs: number;
  /** Lines of one server's stderr in the log, per second; further ones are counted. */
  readonly maxStderrLinesPerSecond: number;
  /** Log messages of one server in a second, and as many notifications of progress; further ones are dropped and counted. */
  readonly maxNotificationsPerSecond: number;
  /** Calls in flight at one server; one more is refused as busy. */
  readonly maxPendingPerServer: number;
  /** Requests of one client in flight, at whatever servers; one more is refused as busy. */
  readonly maxPendingPerClient: number;
  /** What servers have asked one client and it has not answered; one more is refused in its name. */
  readonly maxAskedPerClient: number;
  /**
   * Registered servers; one more is refused. A quarter of them, at least one, may be in any one workspace, or be of one
   * session alone. What each session has from a server with `isolation: 'session'` does not count.
   */
  readonly maxServers: number;
  /** Connections of one client to other instances of mcpmux; one more is refused. */
  readonly maxInstancesPerClient: number;
  /** Another instance has this long to answer the first questions. */
  readonly instanceStartTimeoutMs: number;
  /** A call at another instance is given up that long after its last sign of life. */
  readonly instanceCallTimeoutMs: number;
  /** Another instance that was silent for this long is sent a ping, and has as long for the answer. */
  readonly instancePingMs: number;
  /** From the beginning of a start, the wait for a slot included, to the end of the first lists. */
  readonly startTimeoutMs: number;
  /** One page of a list that mcpmux itself asks for, after the start. */
  readonly listTimeoutMs: number;
  /** Pages read of one list of one server. */
  readonly maxListPages: number;
  /** Entries taken from each list of one server. */
  readonly maxToolsPerServer: number;
  /** All entries taken from one list of one server together, in bytes of JSON. */
  readonly maxListBytesPerServer: number;
  /** A merged list that is longer comes in pages, in bytes of JSON. SDK peers take 10,485,760 in a line. */
  readonly listPageBytes: number;
  /** After this `add_server` answers "still starting": hosts give a call 60 s. */
  readonly addAnswerTimeoutMs: number;
  /** Calls in flight at a server that is removed or reloaded may take this long to finish. */
  readonly drainMs: number;
  /** Requests in flight when the client closes its side may take this long to be answered. */
  readonly drainOnEndMs: number;
  /** A server that its restart policy has given up is started once more for a call that comes that much later. */
  readonly retryGivenUpMs: number;
  /** A workspace in which no client is any more keeps the servers that were added in it for this long. */
  readonly workspaceIdleMs: number;
  /** Changes of the lists within this time become one `list_changed`. */
  readonly listChangedDelayMs: number;
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
  listChangedDelayMs: 20,
});
