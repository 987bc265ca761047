import type { Selection } from '@mcpmux/config';
import type { AddPolicy, ExposureMode, Limits, PinMode } from '@mcpmux/core';

import type { ClusterFlags } from '../cluster/cluster-options.js';
import type { LogFormat, LogThreshold } from '../log/log-record.js';

/** The options of `mcpmux serve`. */
export interface ServeOptions {
  readonly logLevel: LogThreshold;
  readonly logFormat: LogFormat;
  readonly limits: Partial<Limits>;
  /** A config file, or `false` for none. By default, the first file in the search order. */
  readonly config?: string | false;
  /** A config file that is created if it is missing, and in which agents can save servers. */
  readonly catalog?: string;
  /** The servers of the config to start. All when absent. */
  readonly only?: readonly string[];
  /** Starts only the servers in this profile of the config. */
  readonly profile?: string;
  /** Applies changes to the config automatically. */
  readonly watch?: boolean;
  /** If false, commands of this user cannot reach this mcpmux. */
  readonly socket?: boolean;
  /** Uses the config of a project. When absent, the variable MCPMUX_PROJECT_CONFIG decides. */
  readonly projectConfig?: boolean;
  /** The longest tool name that clients get, in characters. */
  readonly nameBudget?: number;
  /** Selects the tools in the lists that clients get. When absent, the config decides. */
  readonly exposure?: ExposureMode;
  /** Selects mcpmux's own tools in the lists that clients get. When absent, the config decides. */
  readonly tools?: 'all' | 'minimal' | 'none';
  /** Gives clients `run_code`. When absent, the config decides. */
  readonly codeMode?: boolean;
  /** The servers that agents may add. */
  readonly addPolicy?: AddPolicy;
  /** Records requests with OpenTelemetry. */
  readonly telemetry?: boolean;
  /** The reaction to a changed definition of a tool. */
  readonly pinTools?: PinMode;
  /** The era that mcpmux tries first with servers. When absent, the client's era. */
  readonly firstEra?: 'legacy' | 'modern';
  /** The era of servers whose entry has no `protocol`. When absent, mcpmux detects the era. */
  readonly protocol?: 'auto' | 'legacy' | 'modern';
  /** True if the clients are windows, which share the process. */
  readonly hasWindows?: boolean;
  /** Present for an mcpmux that may be a node of a cluster. */
  readonly clustered?: ClusterFlags;
  /** False if no list of tools waits for servers. When absent, core's default applies. */
  readonly waitForServers?: boolean;
}

/** The options without any flag. */
export const DEFAULT_SERVE_OPTIONS: ServeOptions = { logLevel: 'info', logFormat: 'pretty', limits: {} };

/** Returns which of the config's servers these options select, or undefined for all of them. */
export function selectionOf({ only, profile }: ServeOptions): Selection | undefined {
  return only === undefined && profile === undefined ? undefined : { only, profile };
}
