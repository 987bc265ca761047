import { resolve } from 'node:path';

import type { ConfigGuards, LoadedConfig } from '@mcpmux/config';
import type { ConfigFound, ConfigLocation } from '@mcpmux/config/find';
import type { ConfigReconciler, ReconcilerComponents } from '@mcpmux/config/follow';
import { type Mux, messageOf, type RememberedLists, type ServerConfig } from '@mcpmux/core';

import type { RememberedCatalog } from '../config/remembered-catalog.js';
import { thisProcess } from '../config/this-process.js';
import type { CommandFailure } from '../terminal/command-error.js';
import { lazyHistory } from '../history/lazy-history.js';
import { createConfigGuards, applyDefaultGuards } from './config-guards.js';
import type { ServeOptions } from './serve-options.js';
import type { StderrLogger } from '../log/stderr-logger.js';

/** The result of {@link startReconciler}. */
export interface StartedConfig {
  readonly reconciler: ConfigReconciler;
  readonly isUsable: boolean;
  /** The saved lists from the servers' last runs. */
  readonly memory: RememberedCatalog;
  /** Saves the servers' lists and tool usage for the next start. */
  readonly saveLists: () => void;
}

/** The dependencies of {@link startReconciler}. */
export interface ReconcilerParts extends Pick<ReconcilerComponents, 'place' | 'publish' | 'served'> {
  readonly mux: Mux;
  readonly logger: StderrLogger;
  /** Called if a required server does not start. */
  readonly onRequiredFailed: (server: string) => void;
  readonly options: Pick<ServeOptions, 'only' | 'profile' | 'watch' | 'exposure' | 'tools' | 'codeMode'>;
  /** The guards that already apply. If absent, {@link startReconciler} creates them. */
  readonly guards?: ConfigGuards | undefined;
  /** Resolves to false if the servers must not start. If absent, they start immediately. */
  readonly needed?: Promise<boolean> | undefined;
  /** Only with `--shared`: the config's servers that run separately for each folder. */
  readonly folders?: RememberedServers | undefined;
}

/** Servers whose lists are saved for the next start. */
export interface RememberedServers {
  readonly servers: ReadonlyMap<string, ServerConfig>;
  remember(name: string): RememberedLists | undefined;
}

/** Loads the reconciler's code and starts a config's servers. */
export async function startReconciler(
  location: ConfigLocation,
  { mux, logger, options, onRequiredFailed, guards: earlyGuards, needed, folders, ...rest }: ReconcilerParts,
): Promise<StartedConfig> {
  const { ConfigCodeMode, ConfigExposure } = await import('@mcpmux/config');
  const { ConfigReconciler, watchConfig } = await import('@mcpmux/config/follow');
  const { RememberedCatalog, rememberedCatalogFile } = await import('../config/remembered-catalog.js');
  const context = thisProcess();
  const memory = new RememberedCatalog(rememberedCatalogFile(location.file, context));
  const guards = earlyGuards ?? (await createConfigGuards(mux, logger));
  const exposure = new ConfigExposure(mux, options);
  const codeMode = new ConfigCodeMode(mux, options);
  const history = lazyHistory({ mux, logger, config: location.file });
  const applySettings = (loaded: LoadedConfig): void => {
    guards.apply(loaded.guards);
    exposure.apply(loaded.exposure);
    void codeMode.apply(loaded.codeMode);
    history.apply(loaded.history);
  };
  const parts = {
    mux,
    logger,
    context,
    selection: options,
    memory,
    onRequiredFailed,
    settings: applySettings,
    ...rest,
  };
  const reconciler = new ConfigReconciler(location, parts);
  const saveLists = saveListsAfterChanges(reconciler, memory, { mux, logger, folders });
  if ((await needed) === false) return { reconciler, isUsable: true, memory, saveLists };
  const { isUsable } = reconciler.apply();
  if (options.watch === true)
    for (const file of configFilesOf(location)) watchConfig(file, () => reconciler.apply());
  return { reconciler, isUsable, memory, saveLists };
}

/** Returns the path of a config and, if a project config adds servers to it, that config's path. */
export function configFilesOf({ file, project }: ConfigLocation): readonly string[] {
  return project === undefined ? [file] : [file, project.file];
}

/** Without a config, applies the default guards and, if `--code-mode` is set, code mode. */
export async function applyWithoutConfig(
  mux: Mux,
  logger: StderrLogger,
  { codeMode: isCodeMode }: Pick<ServeOptions, 'codeMode'>,
): Promise<void> {
  await applyDefaultGuards(mux, logger);
  if (isCodeMode !== true) return;
  const { codeMode } = await import('@mcpmux/code-mode');
  mux.use(codeMode());
}

/** Saves the servers' lists soon after they change, for the next start. Returns a function that saves immediately. */
function saveListsAfterChanges(
  reconciler: ConfigReconciler,
  memory: RememberedCatalog,
  { mux, logger, folders }: Pick<ReconcilerParts, 'mux' | 'logger' | 'folders'>,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  const reportedKeys = new Set<string>();
  const saveNow = (): void => {
    clearTimeout(timer);
    timer = undefined;
    try {
      // The saved lists of servers whose folder has no window are preserved.
      const otherNames = new Set(folders && reconciler.applied?.servers.map(({ name }) => name));
      const servers = new Map([...(folders?.servers ?? []), ...reconciler.servers]);
      memory.saveLists(servers, (name) => mux.remember(name) ?? folders?.remember(name), otherNames);
      logger.log('debug', 'the lists of the servers are saved for the next start');
      void warnOfUnmatchedFilters(reconciler, logger, (name) => mux.remember(name), reportedKeys);
    } catch (error) {
      const problem = messageOf(error);
      logger.log('debug', 'the lists of the servers cannot be saved for the next start', { problem });
    }
  };
  mux.on('catalog:changed', () => (timer ??= setTimeout(saveNow, SAVE_DELAY_MS).unref()));
  return saveNow;
}

/** Warns once about each tool setting that matches no tool. */
async function warnOfUnmatchedFilters(
  { ready }: ConfigReconciler,
  logger: StderrLogger,
  listsOf: Mux['remember'],
  reportedKeys: Set<string>,
): Promise<void> {
  const { toolNames, unmatchedFilterMessages } = await import('../config/unmatched-filters.js');
  for (const [name, server] of ready) {
    for (const message of unmatchedFilterMessages(server, toolNames(listsOf(name) ?? {}))) {
      const key = `${name}\n${message}`;
      if (!reportedKeys.has(key)) logger.log('warn', message, { server: name });
      reportedKeys.add(key);
    }
  }
}

/** The delay before a save, in milliseconds, so that one save covers servers that start one after another. */
const SAVE_DELAY_MS = 300;

/** Resolves to false if the config is unusable and the user named it or a profile. Other problems are only logged. */
export async function isConfigAccepted(
  config: Promise<StartedConfig>,
  found: ConfigFound,
  { profile }: Pick<ServeOptions, 'profile'>,
): Promise<boolean> {
  const isExplicit = profile !== undefined || (found.kind === 'found' && isExplicitlyNamed(found.location));
  return (await config).isUsable || !isExplicit;
}

/**
 * Creates the catalog file if it does not exist.
 *
 * @returns the failure, or undefined if the file now exists
 */
export async function ensureCatalog(catalog: string): Promise<CommandFailure | undefined> {
  const { seedConfig } = await import('../config/seed-config.js');
  const file = resolve(catalog);
  try {
    await seedConfig(file);
    return undefined;
  } catch (error) {
    const { toWriteError } = await import('../edit/write-failure.js');
    const { CommandError } = await import('../terminal/command-error.js');
    const failure = toWriteError(file, error);
    if (failure instanceof CommandError) return failure.failure;
    throw failure;
  }
}

function isExplicitlyNamed({ origin }: ConfigLocation): boolean {
  return origin === 'flag' || origin === 'environment';
}
