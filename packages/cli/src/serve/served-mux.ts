import { searchOrder, type ConfigFound, type ConfigLocation } from '@mcpmux/config/find';
import { createMux, type LoginStore, type Mux, type ServerStore } from '@mcpmux/core';

import type { ServedCluster } from '../cluster/served-cluster.js';
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
import type { StderrLogger } from '../log/stderr-logger.js';
import { VERSION } from '../base/version.js';

/** The parts that a mux shares with the other nodes of its cluster. */
export interface SharedParts {
  readonly requestStateKey?: Uint8Array | undefined;
  readonly logins?: LoginStore;
  /** The config in use. */
  readonly config?: string | undefined;
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
      logins,
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
