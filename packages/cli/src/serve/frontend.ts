import type { HttpSettings } from '@mcpmux/config';
import type { LogFields, Mux } from '@mcpmux/core';

import type { ServedCluster } from '../cluster/served-cluster.js';
import type { StderrLogger } from '../log/stderr-logger.js';
import type { ServedPage } from '../page/served-page.js';
import type { StartRefusal } from './refused.js';

/** A transport that connects clients to mcpmux. */
export interface Frontend {
  /** Resolves when no further client will connect. */
  readonly closed: Promise<void>;
  /** Resolves to false if the client is only a probe, for which no servers start. If absent, servers always start. */
  readonly needed?: Promise<boolean>;
  /** Called when the config's servers are registered. */
  readonly onConfigured?: () => void;
  /**
   * True if the frontend retains each request in memory until the response arrives. By default, it forwards each line
   * to a server immediately.
   */
  readonly retainsRequests?: boolean;
  /** The frontend's address, as log fields. */
  readonly served?: LogFields;
  /** Refuses new requests and gives pending requests a moment to finish. */
  readonly drain?: () => Promise<void>;
}

/** The optional dependencies of {@link OpenFrontend}. */
export interface FrontendParts {
  readonly page?: ServedPage | undefined;
  readonly cluster?: ServedCluster | undefined;
}

/** Opens a frontend for a mux. If that fails, returns the exit code for the process. */
export type OpenFrontend = (
  mux: Mux,
  logger: StderrLogger,
  settings?: HttpSettings,
  parts?: FrontendParts,
) => Frontend | Promise<Frontend | StartRefusal>;
