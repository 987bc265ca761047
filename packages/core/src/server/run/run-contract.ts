import type { ServerName } from '@mcpmux/namespace';
import type { ServerIdentity } from '../dialect/server-identity.js';
import type { Layer } from '../config/layer.js';
import type { AnyServerConfig } from '../config/server-config.js';
import type { RunFailure } from '../link/run-failure.js';
import type { Listings } from '../lists/server-lists.js';
import type { RunInbox } from './run-inbox.js';

/** Which server is run. */
export interface ServerRunInit {
  readonly server: ServerName;
  readonly config: AnyServerConfig;
  /** Where it is registered. */
  readonly layer: Layer;
  /** Besides those of its `env` or headers: what of its arguments nobody should read. */
  readonly secrets: readonly string[];
  /** Unique among all runs of this mux. */
  readonly runId: number;
  /** Takes what the server sends on its own. */
  readonly inbox: RunInbox;
}

/** Takes what happens to a run. */
export interface ServerRunEvents {
  readonly stderrLine: (line: string) => void;
  /** A line on stdout that is no MCP. */
  readonly stdoutLine: (line: string) => void;
  /** Its process is there. */
  readonly spawned: (pid: number) => void;
  /** Its server may have forgotten the session. Resolves to whether a new session serves. */
  readonly doubted: () => Promise<boolean>;
  /** The run has ended, or never began. At most once. */
  readonly failed: (failure: RunFailure) => void;
}

/** The result of a successful start. */
export interface RunReady {
  /** Null for a server at a url. */
  readonly pid: number | null;
  readonly identity: ServerIdentity;
  readonly listings: Listings;
}
