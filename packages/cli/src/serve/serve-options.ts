import type { Selection } from '@mcpmux/config';
import type { AddPolicy, ExposureMode, Limits, PinMode } from '@mcpmux/core';

import type { ClusterFlags } from '../cluster/cluster-options.js';
import type { LogFormat, LogThreshold } from '../log/log-record.js';

/** The options of `mcpmux serve`. */
export interface ServeOptions {
  readonly logLevel: LogThreshold;
  readonly logFormat: LogFormat;
  readonly limits: Partial<Limits>;
  /** A config file; `false` for none; by default the first one of the search order. */
  readonly config?: string | false;
  /** A config file that is created if it is missing, and in which agents can save servers. */
  readonly catalog?: string;
  /** The servers of the config that are started; all when absent. */
  readonly only?: readonly string[];
  /** Only the servers of this profile of the config. */
  readonly profile?: string;
  /** Applies changes of the config automatically. */
  readonly watch?: boolean;
  /** False: commands of this user cannot reach this mcpmux. */
  readonly socket?: boolean;
  /** Uses the config of a project. When absent, the variable MCPMUX_PROJECT_CONFIG decides. */
  readonly projectConfig?: boolean;
  /** Longest tool name shown to clients, in characters. */
  readonly nameBudget?: number;
  /** Which tools stand in the lists of clients; absent: the config decides. */
  readonly exposure?: ExposureMode;
  /** Which of mcpmux's own tools stand in the lists of clients; absent: the config decides. */
  readonly tools?: 'all' | 'minimal' | 'none';
  /** Clients get `run_code`; absent: the config decides. */
  readonly codeMode?: boolean;
  /** The servers that agents may add. */
  readonly addPolicy?: AddPolicy;
  /** Requests are recorded with OpenTelemetry. */
  readonly telemetry?: boolean;
  /** The reaction to a changed definition of a tool. */
  readonly pinTools?: PinMode;
  /** The era in which servers are tried first; absent: that of the client. */
  readonly firstEra?: 'legacy' | 'modern';
  /** The era of servers whose entry has no `protocol`; mcpmux finds it out when absent. */
  readonly protocol?: 'auto' | 'legacy' | 'modern';
  /** The clients are windows, which share the process. */
  readonly hasWindows?: boolean;
  /** Present for a mcpmux that may be a node of a cluster. */
  readonly clustered?: ClusterFlags;
  /** False if no list of tools waits for servers; the default of core when absent. */
  readonly waitForServers?: boolean;
}

/** The options without any flag. */
export const DEFAULT_SERVE_OPTIONS: ServeOptions = { logLevel: 'info', logFormat: 'pretty', limits: {} };

/** The servers of the config that these options choose; undefined for all. */
export function selectionOf({ only, profile }: ServeOptions): Selection | undefined {
  return only === undefined && profile === undefined ? undefined : { only, profile };
}
