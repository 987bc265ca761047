import type { ConfigFound } from '@mcpmux/config/find';
import { createMux, type LoginStore, type Mux, type ServerStore } from '@mcpmux/core';

import type { ServedCluster } from '../cluster/served-cluster.js';
import type { StartedConfig } from './serve-config.js';
import type { ServeOptions } from './serve-options.js';
import { lazyInstanceDirectory, lazyLogins, lazyServerStore } from './lazy-stores.js';
import type { StderrLogger } from '../log/stderr-logger.js';
import { VERSION } from '../base/version.js';

/** The parts that a mux shares with the other nodes of its cluster. */
export interface SharedParts {
  readonly requestStateKey?: Uint8Array | undefined;
  readonly logins?: LoginStore;
}

/** Makes the mux of these options. */
export function muxOf(
  options: ServeOptions,
  logger: StderrLogger,
  persist: ServerStore | undefined,
  { requestStateKey, logins = lazyLogins() }: SharedParts = {},
): Mux {
  const { limits, nameBudget, addPolicy, pinTools, waitForServers, firstEra, protocol, hasWindows } = options;
  const { exposure, tools } = options;
  const implementation = { name: 'mcpmux', version: VERSION };
  const shown = { ...(exposure && { mode: exposure }), ...(tools && { ownTools: tools }) };
  return createMux(
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
      instances: lazyInstanceDirectory(),
      overviewApp: async () => (await import('@mcpmux/dashboard')).readOverviewApp(),
      ...(persist && { persist }),
    },
  );
}

/** The store for servers that agents save: the catalog file, if there is one. */
export function storeOf(
  { catalog }: ServeOptions,
  found: ConfigFound,
  started: () => Promise<StartedConfig> | undefined,
): ServerStore | undefined {
  return catalog !== undefined && found.kind === 'found'
    ? lazyServerStore(found.location, started)
    : undefined;
}

/** The store of a member of a cluster: the servers that agents save are servers of the cluster. */
export async function clusterStoreOf(cluster: ServedCluster | undefined): Promise<ServerStore | undefined> {
  if (cluster === undefined) return undefined;
  const { ClusterStore } = await import('./cluster-store.js');
  return new ClusterStore(() => cluster.member);
}
