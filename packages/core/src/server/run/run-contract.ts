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

/** The properties of a server that all of its runs share. */
export interface ServerRunInit {
  readonly server: ServerName;
  readonly config: AnyServerConfig;
  /** The layer in which the server is registered. */
  readonly layer: Layer;
  /** The secrets in the server's arguments. Secrets in its `env` and headers are redacted as well. */
  readonly secrets: readonly string[];
  /** Adds the output of a command in the config to the secrets. Returns a mask that also hides this output. */
  readonly addSecret?: (value: string) => TextMask;
  /** Returns the preferred way to open the run, or undefined. */
  readonly preferred?: () => PreferredOpening | undefined;
  /** The client sandbox that the server follows, or undefined. */
  readonly followed?: FollowedSandbox | undefined;
}

/** The parameters of one run. */
export interface SingleRunInit {
  /** The run's number, unique in this mux. */
  readonly runId: number;
  /** Receives the messages that are not responses to mcpmux's requests. */
  readonly inbox: RunInbox;
  /** Present for a second run, in the other era. Absent for the first run, whose lists clients see. */
  readonly secondEra?: SecondEra | undefined;
}

/** How to open a run for its first client. */
export interface PreferredOpening {
  /** The era to try first. */
  readonly era?: Era | undefined;
  /** The client whose capabilities mcpmux declares. */
  readonly profile?: ClientProfile | undefined;
}

/** A server's second run, for the clients of one era. The first run uses the other era. */
export interface SecondEra {
  readonly era: Era;
  /** The client whose capabilities mcpmux declares to the server. */
  readonly profile: ClientProfile | undefined;
}

/** Receives the events of a run. */
export interface ServerRunEvents {
  readonly onReport: (report: RunReport) => void;
  /** Called when the server may have lost the session. Resolves to true if a new session is available. */
  readonly onSessionDoubted: () => Promise<boolean>;
  /** Called at most once, when the run ends or fails to start. */
  readonly onFailure: (failure: RunFailure) => void;
}

/** The result of a successful start. */
export interface RunStartResult {
  /** The process id. Null if mcpmux did not start the process. */
  readonly pid: number | null;
  /** The program that confines the process. Undefined if the process is not confined. */
  readonly confinedBy?: string | undefined;
  readonly identity: ServerIdentity;
  readonly listings: Listings;
  /** False for a remote server without sessions. */
  readonly hasSession: boolean;
}
