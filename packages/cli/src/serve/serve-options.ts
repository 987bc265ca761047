import type { AddPolicy, Limits, PinMode } from '@mcpmux/core';

import type { LogFormat, LogThreshold } from '../log/log-record.js';

/** How `mcpmux serve` behaves. */
export interface ServeOptions {
  readonly logLevel: LogThreshold;
  readonly logFormat: LogFormat;
  readonly limits: Partial<Limits>;
  /** A config file; `false` for none; by default the first one of the search order. */
  readonly config?: string | false;
  /** A config file that is made when it is not there. */
  readonly catalog?: string;
  /** The servers of the config that are started; all when absent. */
  readonly only?: readonly string[];
  /** Only the servers of this profile of the config. */
  readonly profile?: string;
  /** Changes of the config are applied by themselves. */
  readonly watch?: boolean;
  /** False: commands of this user cannot reach it. */
  readonly socket?: boolean;
  /** Whether the config of a project counts; what the environment variable MCPMUX_PROJECT_CONFIG says when absent. */
  readonly projectConfig?: boolean;
  /** Longest tool name shown to clients, in characters. */
  readonly nameBudget?: number;
  /** What agents may add. */
  readonly addPolicy?: AddPolicy;
  /** Requests are recorded with OpenTelemetry. */
  readonly telemetry?: boolean;
  /** What happens when the definition of a tool changes. */
  readonly pinTools?: PinMode;
  /** Whether the first list of tools waits for servers; what core does when absent. */
  readonly waitForServers?: boolean;
}

/** How it behaves without any flag. */
export const DEFAULT_SERVE_OPTIONS: ServeOptions = { logLevel: 'info', logFormat: 'pretty', limits: {} };
