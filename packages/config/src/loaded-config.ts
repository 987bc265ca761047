import type { ServerConfig } from '@mcpmux/core';

import type { ConfigReading } from './read-config.js';
import type { ToolSettings } from './tool-settings.js';

/** A server from a config, with its placeholders replaced. */
export type LoadedServer = LoadOutcome & {
  /** True if mcpmux must exit when the server fails to start. */
  readonly isRequired: boolean;
};

type LoadOutcome =
  | {
      readonly status: 'ready';
      readonly name: string;
      readonly config: ServerConfig;
      /** `mux.shared`, if the config sets it. True if windows in several folders share the server. */
      readonly shared?: boolean | undefined;
      /** The reason why windows share this server, or why each has its own run. Absent if windows share no process. */
      readonly scopeReason?: string | undefined;
      /** The tool filter. Absent if clients see all tools unchanged. */
      readonly tools?: ToolSettings | undefined;
    }
  | { readonly status: 'disabled'; readonly name: string }
  | {
      readonly status: 'misconfigured';
      readonly name: string;
      /** The reason why the server cannot start. Contains no config values, because they may be secret. */
      readonly problem: string;
    };

/** A config file that was read and checked. */
export interface LoadedConfig extends Omit<ConfigReading, 'entries' | 'unusedEntries' | 'report'> {
  readonly file: string;
  readonly servers: readonly LoadedServer[];
}

/** The settings that the config reconciler has applied. */
export type AppliedConfig = Pick<LoadedConfig, 'servers' | 'guards' | 'exposure'>;
