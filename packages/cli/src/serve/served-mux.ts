import { searchOrder, type ConfigFound, type ConfigLocation } from '@mcpmux/config/find';
import { createMux, type LoginStore, type Mux, type ServerStore } from '@mcpmux/core';

import type { ServedCluster } from '../cluster/served-cluster.js';
import { askedLogins } from '../login/asked-logins.js';
import { thisProcess } from '../config/this-process.js';
import type { StartedConfig } from './serve-config.js';
import type { ServeOptions } from './serve-options.js';
import {
  lazyApprovals,
  lazyCommandValue,
  lazyInstanceDirectory,
  lazyLogins,
  lazySandbox,
  lazyServerStore,
} from './lazy-stores.js';
import { StderrLogger } from '../log/stderr-logger.js';
import { entranceOf, type Entrance } from './serve-guards.js';
import type { Refused } from './refused.js';
import { VERSION } from '../base/version.js';

/** The parts that a mux shares with the other nodes of its cluster. */
export interface SharedParts {
  readonly requestStateKey?: Uint8Array | undefined;
  readonly logins?: LoginStore;
  /** The config in use. */
  readonly config?: string | undefined;
}

/** A mux that clients can connect to, with the settings of its config that apply before any client connects. */
export interface OpenMux extends Entrance {
  readonly mux: Mux;
  readonly logger: StderrLogger;
  /** The config that is served. */
  readonly location: ConfigLocation | undefined;
}

/**
 * Creates the mux of a process that serves clients.
 *
 * @param started returns the servers of the config, once they are started
 */
export async function openMux(
  options: ServeOptions,
  found: ConfigFound,
  started: () => Promise<StartedConfig> | undefined,
  cluster?: ServedCluster,
): Promise<OpenMux | Refused> {
  const logger = new StderrLogger(options.logLevel, options.logFormat);
  const location = found.kind === 'found' ? found.location : undefined;
  const config = location?.file;
  const store = await storeOf(options, found, started, cluster);
  const mux = muxOf(await withSecretPlaces(options, config), logger, store, {
    requestStateKey: cluster?.key,
    logins: cluster?.logins ?? lazyLogins(found),
    config,
  });
  const entrance = await entranceOf(found, mux, logger, options.telemetry === true);
  return 'exitCode' in entrance ? entrance : { ...entrance, mux, logger, location };
}

/** Creates the mux for these options. */
export function muxOf(
  options: ServeOptions,
  logger: StderrLogger,
  persist: ServerStore | undefined,
  { requestStateKey, logins = lazyLogins(), config }: SharedParts = {},
): Mux {
  const { limits, nameBudget, addPolicy, pinTools, waitForServers, firstEra, protocol, hasWindows } = options;
  const { exposure, tools } = options;
  const implementation = { name: 'mcpmux', version: VERSION };
  const shown = { ...(exposure && { mode: exposure }), ...(tools && { ownTools: tools }) };
  const mux: Mux = createMux(
    {
      implementation,
      limits,
      ...(nameBudget !== undefined && { nameBudget }),
      exposure: shown,
      ...(addPolicy && { addPolicy }),
      ...(pinTools && { pinTools }),
      ...(firstEra && { firstEra }),
      ...(protocol && { protocol }),
      ...(hasWindows && { hasWindows }),
      ...(requestStateKey && { requestStateKey }),
      ...(waitForServers !== undefined && { waitForServers }),
    },
    {
      logger,
      logins: askedLogins(logins, { logger, mux: () => mux }),
      approvals: lazyApprovals(),
      sandbox: lazySandbox(config),
      instances: lazyInstanceDirectory(),
      overviewApp: async () => (await import('@mcpmux/dashboard')).readOverviewApp(),
      ...(persist && { persist }),
      commandValue: lazyCommandValue(() => mux),
    },
  );
  return mux;
}

/** Returns the options with the paths of secrets that the policy for agents must know. */
export async function withSecretPlaces(
  options: ServeOptions,
  config: string | undefined,
): Promise<ServeOptions> {
  const { addPolicy } = options;
  if (addPolicy?.mode !== 'sandbox') return options;
  const { secretPlaces } = await import('../live/secret-places.js');
  return { ...options, addPolicy: { ...addPolicy, secrets: secretPlaces(config) } };
}

/**
 * Returns the store for servers that agents save. It is the file of `--catalog`, or else the cluster, or else the
 * user's config. A config that `--config`, the environment or a project names is only read.
 */
export async function storeOf(
  { catalog, config }: Pick<ServeOptions, 'catalog' | 'config'>,
  found: ConfigFound,
  started: () => Promise<StartedConfig> | undefined,
  cluster?: ServedCluster,
): Promise<ServerStore | undefined> {
  if (cluster !== undefined && catalog === undefined) {
    const { ClusterStore } = await import('./cluster-store.js');
    return new ClusterStore(() => cluster.member);
  }
  const location = config === false ? undefined : writableConfig(found, catalog !== undefined);
  return location && lazyServerStore(location, started);
}

/**
 * Returns the config that agents may change. Undefined if there is none. The user's config does not have to exist yet.
 */
function writableConfig(found: ConfigFound, isCatalog: boolean): ConfigLocation | undefined {
  if (found.kind === 'none') return searchOrder({ ...thisProcess(), projects: false }).at(-1);
  const isUsers = found.kind === 'found' && found.location.origin === 'user';
  return isUsers || isCatalog ? found.location : undefined;
}
