import type { ServerName } from '@mcpmux/namespace';
import type { ClientProfile } from '../dialect/client-profile.js';
import type { Era } from '../dialect/era.js';
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
  /** The era that is tried first; undefined where nothing speaks for either. */
  readonly preferred?: () => Era | undefined;
  /** A run beside that of the other era; absent for the run that the server is listed by. */
  readonly second?: SecondEra | undefined;
}

/** A run for the clients of one era of a server that speaks another era to the others. */
export interface SecondEra {
  readonly era: Era;
  /** The client whose capabilities the server is told. */
  readonly as: ClientProfile | undefined;
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
  /** False for a server at a url whose requests belong to no session. */
  readonly hasSession: boolean;
}
