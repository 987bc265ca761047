import { resolve } from 'node:path';

import type { Mux } from '@mcpmux/core';

import type { ConfigKeeper } from './config/config-keeper.js';
import type { ConfigFound, ConfigLocation } from './config/find-config.js';
import { thisProcess } from './config/this-process.js';
import type { ServeOptions } from './serve.js';
import type { StderrLogger } from './stderr-logger.js';

/** What a config is started with. */
export interface KeeperParts {
  readonly mux: Mux;
  readonly logger: StderrLogger;
  readonly options: Pick<ServeOptions, 'only' | 'profile' | 'watch'>;
}

/** Starts the servers of a config, whose code is loaded only now. */
export async function keeperOf(
  location: ConfigLocation,
  { mux, logger, options }: KeeperParts,
): Promise<StartedConfig> {
  const { ConfigKeeper } = await import('./config/config-keeper.js');
  const keeper = new ConfigKeeper(location, { mux, logger, context: thisProcess(), selection: options });
  const { isUsable } = keeper.apply();
  if (options.watch === true) {
    const { watchConfig } = await import('./config/watch-config.js');
    watchConfig(location.file, () => keeper.apply());
  }
  return { keeper, isUsable };
}

/** A config whose servers were started. */
export interface StartedConfig {
  readonly keeper: ConfigKeeper;
  readonly isUsable: boolean;
}

/** False when the config, or a profile of it, cannot be used and was asked for by name; one that was merely found is reported. */
export async function isAccepted(
  config: Promise<StartedConfig>,
  found: ConfigFound,
  { profile }: Pick<ServeOptions, 'profile'>,
): Promise<boolean> {
  const isAskedFor = profile !== undefined || (found.kind === 'found' && isNamed(found.location));
  return (await config).isUsable || !isAskedFor;
}

/** A catalog is a config that commands write: it is there from the start. */
export async function seedCatalog(catalog: string): Promise<void> {
  const { seedConfig } = await import('./config/seed-config.js');
  seedConfig(resolve(catalog));
}

function isNamed({ origin }: ConfigLocation): boolean {
  return origin === 'flag' || origin === 'environment';
}
