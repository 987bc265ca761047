import { searchOrder, type ConfigFound, type ConfigLocation } from '@mcpmux/config/find';
import { createMux, type LoginStore, type Mux, type ServerStore } from '@mcpmux/core';

import type { ServedCluster } from '../cluster/served-cluster.js';
import { loginsWithElicitation } from '../login/asked-logins.js';
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
import { applyEarlySettings, type EarlySettings } from './serve-guards.js';
import type { StartRefusal } from './refused.js';
import { VERSION } from '../base/version.js';

/** The optional dependencies of {@link createServedMux}. A cluster's nodes share all of them except `config`. */
export interface OptionalMuxParts {
  readonly requestStateKey?: Uint8Array | undefined;
  readonly logins?: LoginStore;
  /** The path of the config in use. */
  readonly config?: string | undefined;
}

/** A mux that is ready for clients, with the settings that apply before any client connects. */
export interface ReadyMux extends EarlySettings {
  readonly mux: Mux;
  readonly logger: StderrLogger;
  /** The location of the config in use, or undefined without a config. */
  readonly location: ConfigLocation | undefined;
}

/**
 * Creates the mux of a process that serves clients.
 *
 * @param startedConfig returns the started config, or undefined before the start
 */
export async function openMux(
  options: ServeOptions,
  found: ConfigFound,
  startedConfig: () => Promise<StartedConfig> | undefined,
  cluster?: ServedCluster,
): Promise<ReadyMux | StartRefusal> {
  const logger = new StderrLogger(options.logLevel, options.logFormat);
  const location = found.kind === 'found' ? found.location : undefined;
  const config = location?.file;
  const store = await serverStoreFor(options, found, startedConfig, cluster);
  const mux = createServedMux(await withSecretPaths(options, config), logger, store, {
    requestStateKey: cluster?.key,
    logins: cluster?.logins ?? lazyLogins(found),
    config,
  });
  const settings = await applyEarlySettings(found, mux, logger, options.telemetry === true);
  return 'exitCode' in settings ? settings : { ...settings, mux, logger, location };
}

/** Creates a mux from the options of `mcpmux serve`. */
export function createServedMux(
  options: ServeOptions,
  logger: StderrLogger,
  persist: ServerStore | undefined,
  { requestStateKey, logins = lazyLogins(), config }: OptionalMuxParts = {},
): Mux {
  const { limits, nameBudget, addPolicy, pinTools, waitForServers, firstEra, protocol, hasWindows } = options;
  const { exposure, tools } = options;
  const implementation = { name: 'mcpmux', version: VERSION };
  const exposureOptions = { ...(exposure && { mode: exposure }), ...(tools && { ownTools: tools }) };
  const mux: Mux = createMux(
    {
      implementation,
      limits,
      ...(nameBudget !== undefined && { nameBudget }),
      exposure: exposureOptions,
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
      logins: loginsWithElicitation(logins, { logger, mux: () => mux }),
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

/** Adds the paths that contain secrets to the add policy `sandbox`, so that added servers cannot read them. */
export async function withSecretPaths(
  options: ServeOptions,
  config: string | undefined,
): Promise<ServeOptions> {
  const { addPolicy } = options;
  if (addPolicy?.mode !== 'sandbox') return options;
  const { secretPaths } = await import('../live/secret-places.js');
  return { ...options, addPolicy: { ...addPolicy, secrets: secretPaths(config) } };
}

/**
 * Returns the store for servers that agents save: the file of `--catalog`, the cluster or the user's config, in this
 * order of precedence. A config from `--config`, the environment or a project is never changed.
 */
export async function serverStoreFor(
  { catalog, config }: Pick<ServeOptions, 'catalog' | 'config'>,
  found: ConfigFound,
  startedConfig: () => Promise<StartedConfig> | undefined,
  cluster?: ServedCluster,
): Promise<ServerStore | undefined> {
  if (cluster !== undefined && catalog === undefined) {
    const { ClusterStore } = await import('./cluster-store.js');
    return new ClusterStore(() => cluster.member);
  }
  const location = config === false ? undefined : writableConfig(found, catalog !== undefined);
  return location && lazyServerStore(location, startedConfig);
}

/** Returns the config that agents may change, or undefined if they may not change any. The file may not exist yet. */
function writableConfig(found: ConfigFound, isCatalog: boolean): ConfigLocation | undefined {
  if (found.kind === 'none') return searchOrder({ ...thisProcess(), projects: false }).at(-1);
  const isUserConfig = found.kind === 'found' && found.location.origin === 'user';
  return isUserConfig || isCatalog ? found.location : undefined;
}
