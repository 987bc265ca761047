import type { Selection } from '@mcpmux/config';
import type { AddPolicy, ExposureMode, Limits, PinMode } from '@mcpmux/core';

import type { ClusterFlags } from '../cluster/cluster-options.js';
import type { LogFormat, LogThreshold } from '../log/log-record.js';

/** The options of `mcpmux serve`. */
export interface ServeOptions {
  readonly logLevel: LogThreshold;
  readonly logFormat: LogFormat;
  readonly limits: Partial<Limits>;
  /** The config file, or `false` for no config. The default is the first file in the search order. */
  readonly config?: string | false;
  /** A config file in which agents can save servers. It is created if it is missing. */
  readonly catalog?: string;
  /** The names of the config's servers to start. By default, all servers start. */
  readonly only?: readonly string[];
  /** Starts only the servers in this profile of the config. */
  readonly profile?: string;
  /** Applies changes to the config automatically. */
  readonly watch?: boolean;
  /** Lets commands of this user connect to this mcpmux. True by default. */
  readonly socket?: boolean;
  /** Also uses the project config. The default comes from the environment variable MCPMUX_PROJECT_CONFIG. */
  readonly projectConfig?: boolean;
  /** The maximum length of exposed tool names, in characters. */
  readonly nameBudget?: number;
  /** Selects the tools in `tools/list`. The default comes from the config. */
  readonly exposure?: ExposureMode;
  /** Selects mcpmux's own tools in `tools/list`. The default comes from the config. */
  readonly tools?: 'all' | 'minimal' | 'none';
  /** Offers `run_code` to clients. The default comes from the config. */
  readonly codeMode?: boolean;
  /** Determines which servers agents may add. */
  readonly addPolicy?: AddPolicy;
  /** Records requests with OpenTelemetry. */
  readonly telemetry?: boolean;
  /** How mcpmux reacts when a tool's definition changes. */
  readonly pinTools?: PinMode;
  /** The era that mcpmux tries first when it connects to a server. The default is the client's era. */
  readonly firstEra?: 'legacy' | 'modern';
  /** The era of servers whose entry has no `protocol`. By default, mcpmux detects the era. */
  readonly protocol?: 'auto' | 'legacy' | 'modern';
  /** True if the clients are windows that share the process. */
  readonly hasWindows?: boolean;
  /** The cluster flags. Undefined if this mcpmux cannot be a node. */
  readonly clustered?: ClusterFlags;
  /** Makes each client's first `tools/list` wait for starting servers. True by default. */
  readonly waitForServers?: boolean;
}

/** The options if no flags are set. */
export const DEFAULT_SERVE_OPTIONS: ServeOptions = { logLevel: 'info', logFormat: 'pretty', limits: {} };

/** Returns the selection of the config's servers, or undefined for all servers. */
export function selectionOf({ only, profile }: ServeOptions): Selection | undefined {
  return only === undefined && profile === undefined ? undefined : { only, profile };
}
