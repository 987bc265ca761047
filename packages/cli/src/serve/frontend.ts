import type { HttpSettings } from '@mcpmux/config';
import type { LogFields, Mux } from '@mcpmux/core';

import type { ServedCluster } from '../cluster/served-cluster.js';
import type { StderrLogger } from '../log/stderr-logger.js';
import type { ServedPage } from '../page/served-page.js';

/** One way for clients to reach mcpmux. */
export interface Frontend {
  /** Resolves when no client will come any more. */
  readonly closed: Promise<void>;
  /** Resolves to true if clients need servers; when absent, they do. */
  readonly needed?: Promise<boolean>;
  /** The servers of the config are known from now on. */
  readonly configured?: () => void;
  /** Its requests live for as long as a server takes to answer; absent: for a moment, as the lines of one client. */
  readonly holdsRequests?: boolean;
  /** Where it serves, for the log. */
  readonly served?: LogFields;
  /** Refuses new requests, and lets requests in flight finish for a moment. */
  readonly drain?: () => Promise<void>;
}

/** The parts of a front in addition to MCP, and its cluster. */
export interface FrontendParts {
  readonly page?: ServedPage | undefined;
  readonly cluster?: ServedCluster | undefined;
}

/** Opens a frontend of a mux, or gives the exit code to end with. */
export type OpenFrontend = (
  mux: Mux,
  logger: StderrLogger,
  settings?: HttpSettings,
  more?: FrontendParts,
) => Frontend | Promise<Frontend | { readonly exitCode: number }>;
