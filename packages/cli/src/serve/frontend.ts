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
  /** Resolves to true if clients need servers. If absent, clients always need servers. */
  readonly needed?: Promise<boolean>;
  /** Called when the config's servers are registered. */
  readonly onConfigured?: () => void;
  /**
   * True if the frontend retains each request until a server answers. Otherwise it forwards requests immediately, like
   * the lines of a single client.
   */
  readonly retainsRequests?: boolean;
  /** The address of the frontend, for the log. */
  readonly served?: LogFields;
  /** Refuses new requests and gives pending requests a moment to finish. */
  readonly drain?: () => Promise<void>;
}

/** Optional parts of a frontend. */
export interface FrontendParts {
  readonly page?: ServedPage | undefined;
  readonly cluster?: ServedCluster | undefined;
}

/** Opens a frontend for a mux, or returns the exit code if the process must end. */
export type OpenFrontend = (
  mux: Mux,
  logger: StderrLogger,
  settings?: HttpSettings,
  parts?: FrontendParts,
) => Frontend | Promise<Frontend | StartRefusal>;
