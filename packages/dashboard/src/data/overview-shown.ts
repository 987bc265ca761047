import type { ClientStatus, Mux, ServerStatus } from '@mcpmux/core';

import type { ClusterShown } from './cluster-view.js';

/** The resources that a process and its descendants use. */
export interface Usage {
  readonly processes: number;
  readonly memoryBytes: number;
  /** The CPU usage since the last reading, in percent of one core. Absent in the first reading. */
  readonly cpuPercent?: number;
}

/** The mux process's load. */
export interface Health {
  /** The CPU usage since the last reading, in percent of one core. Absent in the first reading. */
  readonly cpuPercent?: number;
  /** The event loop's delay since the last reading, in milliseconds: the 99th percentile and the maximum. */
  readonly loopDelayMs?: { readonly p99: number; readonly max: number };
}

/** A summary of all calls to one server so far. */
export interface CallSummary {
  /** The number of calls that have ended. */
  readonly count: number;
  /**
   * The number of calls that ended with an error or without a response. A tool result that reports an error counts too.
   */
  readonly failed: number;
  /** The number of calls in flight. */
  readonly running: number;
  /** The median duration of recent calls, in milliseconds. Absent before the first call. */
  readonly p50?: number | undefined;
  /** The 95th percentile of the durations of recent calls, in milliseconds. */
  readonly p95?: number | undefined;
}

/** A server, as the page shows it. */
export interface ServerView extends ServerStatus {
  /** True if the server was started from the config. A server added by a client may have the name of a config entry. */
  readonly isOfConfig?: boolean;
  /** The stderr line that explains the last failure. */
  readonly reason?: string | undefined;
  /** The resources used by the server's processes. Absent if the server has no process on this machine. */
  readonly usage?: Usage | undefined;
  readonly calls?: CallSummary | undefined;
}

/** A call that is waiting for a person's approval. */
export type OpenApproval = ReturnType<Mux['approvals']['list']>[number];

/** A call that is waiting for approval, as the page shows it. A read-only page does not receive the arguments. */
export type ApprovalView = Omit<OpenApproval, 'arguments'> & Partial<Pick<OpenApproval, 'arguments'>>;

/** mcpmux's own state. */
export interface MuxView extends Health {
  readonly version: string;
  readonly config?: string | undefined;
  /** The folder in which mcpmux was started. */
  readonly folder?: string | undefined;
  readonly instance: string;
  /** The number of the latest event at the time of this overview. */
  readonly lastEvent: number;
  /** The longest interval without a line in the event stream, in milliseconds. */
  readonly heartbeatMs: number;
  readonly pid: number;
  readonly uptimeSeconds: number;
  readonly memoryBytes: number;
  /** The add policy, guards, lists and pins as rules for people to read, by name. */
  readonly rules: Readonly<Record<string, string>>;
  readonly limits: Readonly<Record<string, number>>;
}

/** The state of everything except calls and logs, as the page shows it. */
export interface Overview {
  readonly mayManage: boolean;
  readonly canEditConfig: boolean;
  readonly canSearch: boolean;
  readonly mcpmux: MuxView;
  readonly servers: readonly ServerView[];
  readonly clients: readonly ClientStatus[];
  readonly approvals: readonly ApprovalView[];
  readonly config: readonly { readonly name: string; readonly status: string }[];
  /** Absent if mcpmux does not belong to a cluster. */
  readonly cluster?: ClusterShown | undefined;
}
