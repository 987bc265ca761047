import type { ClusterShown } from './cluster.js';

/** A server, as the overview describes it. */
export interface Server {
  readonly name: string;
  /** Absent for a server of all clients. */
  readonly layer?: string;
  readonly workspace?: string;
  readonly session?: number;
  readonly settings?: { readonly isolation?: string };
  /**
   * True if the config has started this server. A server that a client has added may have the same name as a config
   * entry.
   */
  readonly isOfConfig?: boolean;
  readonly status: string;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly url?: string;
  readonly tools: readonly string[];
  readonly pid?: number | null;
  readonly uptime_seconds?: number;
  readonly protocol_version?: string;
  readonly era?: string;
  /** Absent for a server without a health check, and for a server that does not run. */
  readonly health?: { readonly missed: number; readonly answered_seconds_ago?: number };
  readonly dropped_lines?: number;
  readonly dropped_notifications?: number;
  readonly restarts: number;
  readonly restart?: string;
  readonly sandbox?: string;
  readonly warnings?: readonly string[];
  readonly changed_tools?: readonly string[];
  readonly blocked_tools?: Readonly<Record<string, string>>;
  readonly last_error?: {
    readonly message: string;
    readonly advice?: string;
    readonly stderr_tail?: readonly string[];
    readonly stdout_lines?: readonly string[];
  };
  /** The line of stderr that explains the last failure. */
  readonly reason?: string;
  readonly usage?: { readonly processes: number; readonly memoryBytes: number; readonly cpuPercent?: number };
  readonly calls?: {
    readonly count: number;
    readonly failed: number;
    readonly running: number;
    readonly p50?: number;
    readonly p95?: number;
  };
}

/** A connected client. */
export interface Client {
  readonly session: number;
  readonly client?: string;
  readonly era?: string;
  readonly protocol_version?: string;
  readonly capabilities: readonly string[];
  readonly principal: string;
  readonly connected_seconds: number;
  readonly in_flight: number;
}

/** A call that waits for the approval of a person. */
export interface Approval {
  readonly id: number;
  readonly server: string;
  readonly tool: string;
  /** Absent on a page for reading only. */
  readonly arguments?: string;
  readonly client?: string;
  readonly principal: string;
  readonly session: number;
  readonly since: number;
  readonly scopes: readonly ('once' | 'session' | 'always')[];
}

/** The state of everything except calls and logs. */
export interface Overview {
  readonly mayManage: boolean;
  readonly canEditConfig: boolean;
  readonly canSearch: boolean;
  readonly mcpmux: {
    readonly version: string;
    readonly config?: string;
    /** The folder in which mcpmux was started. */
    readonly folder?: string;
    readonly instance: string;
    /** Number of the last event when the overview was read. */
    readonly lastEvent: number;
    /** The longest time between two lines of events, in milliseconds. */
    readonly heartbeatMs: number;
    readonly pid: number;
    readonly uptimeSeconds: number;
    readonly memoryBytes: number;
    /** Processor time of mcpmux itself, in percent of one processor. Absent in the first reading. */
    readonly cpuPercent?: number;
    /** The delay of the event loop of mcpmux, in milliseconds. Absent in the first reading. */
    readonly loopDelayMs?: { readonly p99: number; readonly max: number };
    /** The rules by name, which are the add policy, guards, lists and pins. */
    readonly rules: Readonly<Record<string, string>>;
    readonly limits: Readonly<Record<string, number>>;
  };
  readonly servers: readonly Server[];
  readonly clients: readonly Client[];
  readonly approvals: readonly Approval[];
  readonly config: readonly { readonly name: string; readonly status: string }[];
  /** Absent if mcpmux does not belong to a cluster. */
  readonly cluster?: ClusterShown;
}
