import type { ServerConfig } from '@mcpmux/core';

import type { ConfigReading } from './read-config.js';
import type { ToolSettings } from './tool-settings.js';

/** A server from a config, with its placeholders replaced. */
export type LoadedServer = LoadOutcome & {
  /** If true, mcpmux exits when the server does not start. */
  readonly isRequired: boolean;
};

type LoadOutcome =
  | {
      readonly status: 'ready';
      readonly name: string;
      readonly config: ServerConfig;
      /** `mux.shared`, if the config sets it. True if windows in several folders share the server. */
      readonly shared?: boolean | undefined;
      /** If windows share a process, the reason why they share this server, or why each has its own run of it. */
      readonly scopeReason?: string | undefined;
      /** The tool filter. Absent if clients see all tools unchanged. */
      readonly tools?: ToolSettings | undefined;
    }
  | { readonly status: 'disabled'; readonly name: string }
  | {
      readonly status: 'misconfigured';
      readonly name: string;
      /** The reason why the server cannot be started. Contains no config values. */
      readonly problem: string;
    };

/** A config file that was read and checked. */
export interface LoadedConfig extends Omit<ConfigReading, 'entries' | 'unusedEntries' | 'report'> {
  readonly file: string;
  readonly servers: readonly LoadedServer[];
}

/** The settings of a config that are in effect. */
export type AppliedConfig = Pick<LoadedConfig, 'servers' | 'guards' | 'exposure'>;
