import type { HttpSettings } from '@mcpmux/config';
import type { LogFields, Mux } from '@mcpmux/core';

import type { ServedCluster } from '../cluster/served-cluster.js';
import type { StderrLogger } from '../log/stderr-logger.js';
import type { ServedPage } from '../page/served-page.js';
import type { Refused } from './refused.js';

/** A transport through which clients reach mcpmux. */
export interface Frontend {
  /** Resolves when no further client will connect. */
  readonly closed: Promise<void>;
  /** Resolves to true if clients need servers. When absent, they do. */
  readonly needed?: Promise<boolean>;
  /** Called when the servers of the config are known. */
  readonly configured?: () => void;
  /**
   * True if its requests live until a server answers. When absent, they live only for a moment, as the lines of one
   * client do.
   */
  readonly holdsRequests?: boolean;
  /** The address at which it serves, for the log. */
  readonly served?: LogFields;
  /** Refuses new requests, and gives requests in flight a moment to finish. */
  readonly drain?: () => Promise<void>;
}

/** The parts of a front other than MCP, and its cluster. */
export interface FrontendParts {
  readonly page?: ServedPage | undefined;
  readonly cluster?: ServedCluster | undefined;
}

/** Opens a frontend of a mux, or returns the exit code with which the process ends. */
export type OpenFrontend = (
  mux: Mux,
  logger: StderrLogger,
  settings?: HttpSettings,
  more?: FrontendParts,
) => Frontend | Promise<Frontend | Refused>;
