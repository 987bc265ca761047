import { resolve } from 'node:path';

import type { Mux } from '@mcpmux/core';

import type { ConfigGuards } from '../config/config-guards.js';
import type { ConfigReconciler } from '../config/config-reconciler.js';
import type { RememberedCatalog } from '../config/remembered-catalog.js';
import type { ConfigFound, ConfigLocation } from '../config/find-config.js';
import { thisProcess } from '../config/this-process.js';
import type { CommandFailure } from '../terminal/command-error.js';
import type { ServeOptions } from './serve-options.js';
import type { StderrLogger } from '../log/stderr-logger.js';

/** A config whose servers were started. */
export interface StartedConfig {
  readonly reconciler: ConfigReconciler;
  readonly isUsable: boolean;
}

/** What the servers of a config are started with. */
export interface ReconcilerParts {
  readonly mux: Mux;
  readonly logger: StderrLogger;
  /** Is told of a server that mcpmux is of no use without and that does not start. */
  readonly onRequiredFailed: (server: string) => void;
  readonly options: Pick<ServeOptions, 'only' | 'profile' | 'watch'>;
  /** The guards that are there already. */
  readonly guards?: ConfigGuards | undefined;
}

/** Starts the servers of a config, whose code is loaded only now. */
export async function startReconciler(
  location: ConfigLocation,
  { mux, logger, options, onRequiredFailed, guards: present }: ReconcilerParts,
): Promise<StartedConfig> {
  const { ConfigReconciler } = await import('../config/config-reconciler.js');
  const { RememberedCatalog, rememberedFile } = await import('../config/remembered-catalog.js');
  const context = thisProcess();
  const memory = new RememberedCatalog(rememberedFile(location.file, context));
  const { ConfigGuards } = await import('../config/config-guards.js');
  const guards = present ?? new ConfigGuards({ mux, logger });
  const parts = { mux, logger, context, selection: options, memory, onRequiredFailed, guards };
  const reconciler = new ConfigReconciler(location, parts);
  rememberChanges(reconciler, memory, { mux, logger });
  const { isUsable } = reconciler.apply();
  if (options.watch === true) {
    const { watchConfig } = await import('../config/watch-config.js');
    watchConfig(location.file, () => reconciler.apply());
  }
  return { reconciler, isUsable };
}

/** What is kept is what servers list; where nothing can be kept, the next start knows nothing of it. */
function rememberChanges(
  reconciler: ConfigReconciler,
  memory: RememberedCatalog,
  { mux, logger }: Pick<ReconcilerParts, 'mux' | 'logger'>,
): void {
  let timer: NodeJS.Timeout | undefined;
  const keep = (): void => {
    timer = undefined;
    try {
      memory.keep(reconciler.servers, (name) => mux.remember(name));
      logger.log('debug', 'the lists of the servers are kept for the next start');
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      logger.log('debug', 'the lists of the servers cannot be kept for the next start', { problem });
    }
  };
  mux.on('catalog:changed', () => (timer ??= setTimeout(keep, REMEMBER_AFTER_MS).unref()));
}

/** Servers start one after the other: their lists are written together. */
const REMEMBER_AFTER_MS = 300;

/** False when the config, or a profile of it, cannot be used and was asked for by name; one that was merely found is reported. */
export async function isAccepted(
  config: Promise<StartedConfig>,
  found: ConfigFound,
  { profile }: Pick<ServeOptions, 'profile'>,
): Promise<boolean> {
  const isAskedFor = profile !== undefined || (found.kind === 'found' && isNamed(found.location));
  return (await config).isUsable || !isAskedFor;
}

/**
 * A catalog is a config that commands write: it is there from the start.
 *
 * @returns why it could not be made; undefined when it is there
 */
export async function seedCatalog(catalog: string): Promise<CommandFailure | undefined> {
  const { seedConfig } = await import('../config/seed-config.js');
  const file = resolve(catalog);
  try {
    await seedConfig(file);
    return undefined;
  } catch (error) {
    const { writeFailed } = await import('../commands/write-failure.js');
    const { CommandError } = await import('../terminal/command-error.js');
    const failure = writeFailed(file, error);
    if (failure instanceof CommandError) return failure.failure;
    throw failure;
  }
}

function isNamed({ origin }: ConfigLocation): boolean {
  return origin === 'flag' || origin === 'environment';
}
