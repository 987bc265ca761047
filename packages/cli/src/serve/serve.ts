import process from 'node:process';

import type { HttpSettings } from '@mcpmux/config';
import { type ConfigFound, type ConfigLocation, countsProjects, findConfig } from '@mcpmux/config/find';
import { createMux, type LoginStore, type Mux, type ServerStore } from '@mcpmux/core';

import type { ServedCluster } from '../cluster/served-cluster.js';
import { thisProcess } from '../config/this-process.js';
import { ServedPage, type ServedPageParts } from '../page/served-page.js';
import type { InstanceComponents } from '../live/instance-connection.js';
import {
  allowCode,
  isAccepted,
  seedCatalog,
  startReconciler,
  type ReconcilerParts,
  type StartedConfig,
} from './serve-config.js';
import type { ServeOptions } from './serve-options.js';
import { fitHeapGrowth } from './heap-growth.js';
import { lazyInstanceDirectory, lazyLogins, lazyServerStore } from './lazy-stores.js';
import { entranceOf } from './serve-guards.js';
import { reachable } from './reachable.js';
import { openStdio, type Frontend } from './stdio-frontend.js';
import { writeErr } from '../base/terminal-output.js';
import { ExitCode } from '../base/exit-code.js';
import { watchLoop } from './loop-watch.js';
import { protectStreams } from '../log/protect-streams.js';
import { handleSignals } from './signals.js';
import { StderrLogger } from '../log/stderr-logger.js';
import type { CommandFailure } from '../terminal/command-error.js';
import { VERSION } from '../base/version.js';

/** After an orderly end nothing should keep the process alive. If something does, the process is ended. */
const LAST_RESORT_MS = 1000;

/** What a front shows beside MCP, and the nodes that it belongs to. */
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

/** A config that was found, or none. */
export type UsableConfigFound = Exclude<ConfigFound, { readonly kind: 'missing' }>;

/** Serves MCP, by default on stdin and stdout, until the client is gone or a signal comes. Returns the exit code. */
export async function serve(options: ServeOptions, openFrontend: OpenFrontend = openStdio): Promise<number> {
  protectStreams();
  const found = await servedConfig(options);
  if ('exitCode' in found) return found.exitCode;
  const { clustered } = options;
  // Nobody without a cluster pays for its code.
  const cluster = clustered && (await (await import('./serve-cluster.js')).servedCluster(clustered, found));
  if (cluster !== undefined && 'exitCode' in cluster) return cluster.exitCode;
  try {
    return await serveFound(options, openFrontend, found, cluster);
  } finally {
    await cluster?.close();
  }
}

async function serveFound(
  options: ServeOptions,
  openFrontend: OpenFrontend,
  found: UsableConfigFound,
  cluster: ServedCluster | undefined,
): Promise<number> {
  const logger = new StderrLogger(options.logLevel, options.logFormat);
  const served: { config?: Promise<StartedConfig> | undefined } = {};
  const store = storeOf(options, found, () => served.config) ?? (await clusterStoreOf(cluster));
  const mux = muxOf(options, logger, store, {
    requestStateKey: cluster?.key,
    logins: cluster?.logins ?? lazyLogins(found),
  });
  const entrance = await entranceOf(found, { mux, logger, isRecorded: options.telemetry === true });
  if ('exitCode' in entrance) return entrance.exitCode;
  const { guards, http } = entrance;
  const applied = async (): Promise<unknown> => (await served.config)?.reconciler.apply();
  const page = pageOf(found, { mux, logger, limits: options.limits, applied });
  const frontend = await openFrontend(mux, logger, http, { page, cluster });
  if ('exitCode' in frontend) return frontend.exitCode;
  if ((await cluster?.join(mux, logger, found)) === false) return left(frontend, mux);
  const signalled = new Promise<number>(handleSignals);
  exitOnDefect();
  // The first answer does not wait for consola.
  const settle = (): unknown => fitHeapGrowth(mux, frontend.holdsRequests === true);
  setImmediate(() => void logger.start().then(settle));
  const watch = watchLoop(logger);
  if (found.kind === 'foreign') warnOfForeign(found.location, logger);
  const { needed, served: at } = frontend;
  const parts = { mux, logger, options, guards, needed, served: at };
  const { config, broken } = startConfig(found, { ...parts, ...(cluster && { place: cluster.place }) });
  served.config = config;
  void Promise.resolve(config).then(
    () => frontend.configured?.(),
    () => undefined,
  );
  const instance =
    options.socket === false
      ? undefined
      : reachable({ ...componentsOf(mux, found, options, config), page }, logger, needed);
  const ended = Promise.race([frontend.closed.then(() => ExitCode.Ok), signalled, broken]);
  const exitCode = await (config === undefined
    ? ended
    : unlessRefused(isAccepted(config, found, options), ended));
  watch.stop();
  instance?.close();
  page.close();
  await frontend.drain?.();
  (await remembering(config))?.();
  await cluster?.close();
  await mux.close();
  endSoon(exitCode);
  return exitCode;
}

/** What saves the use of tools. A config whose servers are not even registered has nothing to save. */
async function remembering(config: Promise<StartedConfig> | undefined): Promise<(() => void) | undefined> {
  const started = await Promise.race([config, Promise.resolve()]);
  return started?.remember;
}

/** This node could not join its cluster. */
async function left(frontend: Frontend, mux: Mux): Promise<number> {
  await frontend.drain?.();
  await mux.close();
  endSoon(ExitCode.Unreachable);
  return ExitCode.Unreachable;
}

/** Ends the process, should anything keep it alive. */
export function endSoon(exitCode: number): void {
  setTimeout(() => process.exit(exitCode), LAST_RESORT_MS).unref();
}

/** The config to serve, or the exit code to end with. */
export async function servedConfig(
  options: ServeOptions,
): Promise<UsableConfigFound | { readonly exitCode: number }> {
  const failure = options.catalog === undefined ? undefined : await seedCatalog(options.catalog);
  if (failure !== undefined) return { exitCode: await notStarted(failure) };
  const found = findConfig({
    ...thisProcess(),
    flag: options.catalog ?? options.config,
    projects: countsProjects(options.projectConfig, process.env),
  });
  return found.kind === 'missing' ? { exitCode: configMissing(found.location) } : found;
}

/** Starts the servers of the config. `broken` resolves to the exit code when one that is required does not start. */
function startConfig(
  found: ConfigFound,
  parts: Omit<ReconcilerParts, 'onRequiredFailed'>,
): { readonly config: Promise<StartedConfig> | undefined; readonly broken: Promise<number> } {
  let onRequiredFailed: (server: string) => void = () => undefined;
  const broken = new Promise<number>((resolve) => {
    onRequiredFailed = (server) => {
      parts.logger.log('error', 'a required server did not start: mcpmux ends', { server });
      resolve(ExitCode.Unreachable);
    };
  });
  if (found.kind !== 'found') {
    void allowCode(parts.mux, parts.options);
    return { config: undefined, broken };
  }
  return { config: startReconciler(found.location, { ...parts, onRequiredFailed }), broken };
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

async function clusterStoreOf(cluster: ServedCluster | undefined): Promise<ServerStore | undefined> {
  if (cluster === undefined) return undefined;
  const { ClusterStore } = await import('./cluster-store.js');
  return new ClusterStore(() => cluster.member);
}

/** What a mux shares with the other nodes of its cluster. */
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

/** The page of a mux, which is loaded when somebody opens it. */
function pageOf(found: ConfigFound, parts: Omit<ServedPageParts, 'location'>): ServedPage {
  return new ServedPage({ ...parts, location: found.kind === 'found' ? found.location : undefined });
}

/** The answer to `reload-config` without a config. */
export const NO_CONFIG = {
  isUsable: false,
  added: [],
  removed: [],
  changed: [],
  problems: ['there is no config'],
};

function componentsOf(
  mux: Mux,
  found: ConfigFound,
  { only, profile }: ServeOptions,
  started: Promise<StartedConfig> | undefined,
): InstanceComponents {
  return {
    mux,
    config: found.kind === 'found' ? found.location.file : undefined,
    selection: only === undefined && profile === undefined ? undefined : { only, profile },
    reloadConfig: async () => (await started)?.reconciler.apply() ?? NO_CONFIG,
  };
}

/** A refused config ends the session, and sets the exit code of a session that has just ended. */
async function unlessRefused(accepted: Promise<boolean>, ended: Promise<number>): Promise<number> {
  const refused = accepted.then((isRight) => (isRight ? ended : ExitCode.Usage));
  const first = await Promise.race([ended, refused]);
  return first === ExitCode.Ok ? refused : first;
}

async function notStarted(failure: CommandFailure): Promise<number> {
  const { formatFailure } = await import('../terminal/command-error.js');
  writeErr(formatFailure(failure, false));
  return failure.exitCode;
}

function configMissing({ file, origin }: ConfigLocation): number {
  const source = origin === 'flag' ? '--config' : 'MCPMUX_CONFIG';
  writeErr(`mcpmux: the file ${file} of ${source} does not exist. Check the path.\n`);
  return ExitCode.Usage;
}

function warnOfForeign({ file }: ConfigLocation, logger: StderrLogger): void {
  logger.log('warn', 'a config of another user is not used; to use the file, name it with --config', {
    config: file,
  });
}

/** After an uncaught exception no state is reliable: print the reason and exit. The process guard ends the servers. */
export function exitOnDefect(): void {
  for (const kind of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(kind, (error: unknown) => {
      const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
      writeErr(`mcpmux: ${kind}: ${reason}\n`);
      process.exit(ExitCode.Internal);
    });
  }
}
