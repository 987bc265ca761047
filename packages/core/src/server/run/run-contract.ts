import type { TextMask } from '@mcpmux/kit';
import type { ServerName } from '@mcpmux/namespace';
import type { FollowedSandbox } from '@mcpmux/sandbox';
import type { ClientProfile } from '../dialect/client-profile.js';
import type { Era } from '../dialect/era.js';
import type { ServerIdentity } from '../dialect/server-identity.js';
import type { Layer } from '../config/layer.js';
import type { AnyServerConfig } from '../config/server-config.js';
import type { RunFailure } from '../link/run-failure.js';
import type { Listings } from '../lists/server-lists.js';
import type { RunInbox } from './run-inbox.js';
import type { RunReport } from './server-report.js';

/** The properties of a server that all its runs share. */
export interface ServerRunInit {
  readonly server: ServerName;
  readonly config: AnyServerConfig;
  /** The layer in which the server is registered. */
  readonly layer: Layer;
  /** The secrets in the server's arguments. The secrets in its `env` and headers are redacted too. */
  readonly secrets: readonly string[];
  /** Adds the output of a command in the configuration to the secrets. Returns a mask that includes it. */
  readonly addSecret?: (value: string) => TextMask;
  /** Returns the preferred opening of the run; undefined if there is none. */
  readonly preferred?: () => PreferredOpening | undefined;
  /** The client sandbox that the server follows; undefined if it follows none. */
  readonly followed?: FollowedSandbox | undefined;
}

/** The parameters of one run. */
export interface SingleRunInit {
  /** The number of the run, unique in this mux. */
  readonly runId: number;
  /** Receives the messages that the server sends on its own initiative. */
  readonly inbox: RunInbox;
  /** Set for a second run, in the other era. Absent for the first run, whose lists clients see. */
  readonly secondEra?: SecondEra | undefined;
}

/** The opening of a run for its first client. */
export interface PreferredOpening {
  /** The era to try first. */
  readonly era?: Era | undefined;
  /** The client whose capabilities mcpmux declares. */
  readonly profile?: ClientProfile | undefined;
}

/** A second run of a server, for the clients of one era. The first run uses the other era. */
export interface SecondEra {
  readonly era: Era;
  /** The client whose capabilities mcpmux sends to the server. */
  readonly profile: ClientProfile | undefined;
}

/** Receives the events of a run. */
export interface ServerRunEvents {
  readonly onReport: (report: RunReport) => void;
  /** Called when the server may have lost the session. Resolves to true if a new session is available. */
  readonly onSessionDoubted: () => Promise<boolean>;
  /** Called at most once, at the end of the run or after a failed start. */
  readonly onFailure: (failure: RunFailure) => void;
}

/** The result of a successful start. */
export interface RunStartResult {
  /** The process id; null if mcpmux did not start the process. */
  readonly pid: number | null;
  /** The program that confines the process; undefined if it is not confined. */
  readonly confinedBy?: string | undefined;
  readonly identity: ServerIdentity;
  readonly listings: Listings;
  /** False for a server at a URL without sessions. */
  readonly hasSession: boolean;
}
