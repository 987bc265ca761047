import type { ConfigFound } from '@mcpmux/config/find';
import type { Mux } from '@mcpmux/core';

import type { ServedCluster } from '../cluster/served-cluster.js';
import { inForceForAll } from '../config/config-in-force.js';
import type { ConfigChange } from '../config/config-change.js';
import { ServedPage } from '../page/served-page.js';
import {
  applyWithoutConfig,
  isAccepted,
  startReconciler,
  type ReconcilerParts,
  type StartedConfig,
} from './serve-config.js';
import { selectionOf, type ServeOptions } from './serve-options.js';
import type { Frontend, OpenFrontend } from './frontend.js';
import { endSoon, exitOnDefect } from './process-end.js';
import { NO_CONFIG, servedConfig, warnOfForeign, type UsableConfigFound } from './served-config.js';
import { lazyLogins } from './lazy-stores.js';
import { muxOf, storeOf, withSecretPlaces } from './served-mux.js';
import { fitHeapGrowth } from './heap-growth.js';
import { entranceOf } from './serve-guards.js';
import { reachable } from './reachable.js';
import { openStdio } from './stdio-frontend.js';
import { ExitCode } from '../base/exit-code.js';
import { watchLoop } from './loop-watch.js';
import { protectStreams } from '../log/protect-streams.js';
import { handleSignals } from './signals.js';
import { StderrLogger } from '../log/stderr-logger.js';

/**
 * Serves MCP, by default on stdin and stdout, until the client disconnects or a signal comes. Returns the exit code.
 */
export async function serve(options: ServeOptions, openFrontend: OpenFrontend = openStdio): Promise<number> {
  protectStreams();
  const found = await servedConfig(options);
  if ('exitCode' in found) return found.exitCode;
  const { clustered } = options;
  // The code for clusters is loaded only if a cluster is used.
  const cluster = clustered && (await (await import('./serve-cluster.js')).servedCluster(clustered, found));
  if (cluster !== undefined && 'exitCode' in cluster) return cluster.exitCode;
  try {
    return await serveFound(options, openFrontend, found, cluster);
  } finally {
    await cluster?.close();
  }
}

/** A mux and its front, which clients can reach. */
interface Opened {
  readonly mux: Mux;
  readonly logger: StderrLogger;
  readonly guards: ReconcilerParts['guards'];
  readonly page: ServedPage;
  readonly frontend: Frontend;
  /** The served config, as soon as it is read. */
  readonly served: {
    config?: Promise<StartedConfig> | undefined;
    /** The config after its servers were registered. */
    started?: StartedConfig | undefined;
  };
}

async function serveFound(
  options: ServeOptions,
  openFrontend: OpenFrontend,
  found: UsableConfigFound,
  cluster: ServedCluster | undefined,
): Promise<number> {
  const opened = await openFront(options, openFrontend, found, cluster);
  if ('exitCode' in opened) return opened.exitCode;
  const { mux, logger, frontend } = opened;
  const hasJoined = (await cluster?.join(mux, logger, found)) !== false;
  if (!hasJoined) await frontend.drain?.();
  const exitCode = hasJoined ? await serveClients(options, found, opened, cluster) : ExitCode.Unreachable;
  await cluster?.close();
  await mux.close();
  endSoon(exitCode);
  return exitCode;
}

async function openFront(
  options: ServeOptions,
  openFrontend: OpenFrontend,
  found: UsableConfigFound,
  cluster: ServedCluster | undefined,
): Promise<Opened | { readonly exitCode: number }> {
  const logger = new StderrLogger(options.logLevel, options.logFormat);
  const served: Opened['served'] = {};
  const store = await storeOf(options, found, () => served.config, cluster);
  const config = found.kind === 'found' ? found.location.file : undefined;
  const mux = muxOf(await withSecretPlaces(options, config), logger, store, {
    requestStateKey: cluster?.key,
    logins: cluster?.logins ?? lazyLogins(found),
    config,
  });
  const entrance = await entranceOf(found, mux, logger, options.telemetry === true);
  if ('exitCode' in entrance) return entrance;
  const { guards, http, applied: first } = entrance;
  const applied = (): Promise<unknown> => applyConfig(served.config, cluster);
  const inForce = inForceForAll(() => served.started?.reconciler.applied ?? first);
  const location = found.kind === 'found' ? found.location : undefined;
  const page = new ServedPage({ mux, location, logger, options, applied, inForce, cluster: cluster?.view });
  const frontend = await openFrontend(mux, logger, http, { page, cluster });
  return 'exitCode' in frontend ? frontend : { mux, logger, guards, page, frontend, served };
}

/** Starts the servers, and serves until the end. Resolves with the exit code. */
async function serveClients(
  options: ServeOptions,
  found: UsableConfigFound,
  { mux, logger, guards, page, frontend, served }: Opened,
  cluster: ServedCluster | undefined,
): Promise<number> {
  const signalled = new Promise<number>(handleSignals);
  exitOnDefect();
  // The first response does not wait for consola.
  const settle = (): unknown => fitHeapGrowth(mux, frontend.holdsRequests === true);
  setImmediate(() => void logger.start().then(settle));
  const watch = watchLoop(logger);
  if (found.kind === 'foreign') warnOfForeign(found.location, logger);
  const { needed, served: at } = frontend;
  const parts = { mux, logger, options, guards, needed, served: at };
  const { config, broken, ready } = startConfig(found, {
    ...parts,
    ...(cluster && { place: cluster.place, publish: cluster.publish }),
  });
  served.config = config;
  void ready.then(
    (started) => {
      served.started = started;
      frontend.configured?.();
    },
    () => undefined,
  );
  const reloadConfig = (): Promise<object> => applyConfig(config, cluster);
  const file = found.kind === 'found' ? found.location.file : undefined;
  const components = { mux, config: file, selection: selectionOf(options), reloadConfig, page };
  const instance = options.socket === false ? undefined : reachable(components, logger, needed);
  const ended = Promise.race([frontend.closed.then(() => ExitCode.Ok), signalled, broken]);
  const exitCode = await (config === undefined
    ? ended
    : unlessRefused(isAccepted(config, found, options), ended));
  watch.stop();
  page.close();
  instance?.close();
  await frontend.drain?.();
  // A config without registered servers has nothing to save.
  (await Promise.race([config, Promise.resolve()]))?.remember();
  return exitCode;
}

/**
 * Starts the servers of the config. `broken` resolves to the exit code if a required server does not start. `ready`
 * resolves when requests that need servers can be handled.
 */
function startConfig(
  found: ConfigFound,
  parts: Omit<ReconcilerParts, 'onRequiredFailed'>,
): {
  readonly config: Promise<StartedConfig> | undefined;
  readonly ready: Promise<StartedConfig | undefined>;
  readonly broken: Promise<number>;
} {
  let onRequiredFailed: (server: string) => void = () => undefined;
  const broken = new Promise<number>((resolve) => {
    onRequiredFailed = (server) => {
      parts.logger.log('error', 'a required server did not start: mcpmux ends', { server });
      resolve(ExitCode.Unreachable);
    };
  });
  if (found.kind !== 'found') {
    const { mux, logger, options, needed = Promise.resolve(true) } = parts;
    const ready = needed.then(async () => applyWithoutConfig(mux, logger, options)).then(() => undefined);
    return { config: undefined, ready, broken };
  }
  const config = startReconciler(found.location, { ...parts, onRequiredFailed });
  return { config, ready: config, broken };
}

/**
 * Reads the config again. Resolves with the changes when they are published to the cluster, or the publication has
 * failed.
 */
async function applyConfig(
  started: Promise<StartedConfig> | undefined,
  cluster: ServedCluster | undefined,
): Promise<ConfigChange> {
  const change = (await started)?.reconciler.apply();
  if (change === undefined) return NO_CONFIG;
  return cluster === undefined ? change : { ...change, clusterProblems: await cluster.problems() };
}

/**
 * Returns the exit code. A refused config ends the session, and sets the exit code even if the session has just ended.
 */
async function unlessRefused(accepted: Promise<boolean>, ended: Promise<number>): Promise<number> {
  const refused = accepted.then((isRight) => (isRight ? ended : ExitCode.Usage));
  const first = await Promise.race([ended, refused]);
  return first === ExitCode.Ok ? refused : first;
}
