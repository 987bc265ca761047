import { ExitCode } from '../base/exit-code.js';
import type { ServedCluster } from '../cluster/served-cluster.js';
import { protectStreams } from '../log/protect-streams.js';
import { ServedPage } from '../page/served-page.js';
import { ConfigServers } from './config-servers.js';
import type { Frontend, OpenFrontend } from './frontend.js';
import { tuneHeapGrowth } from './heap-growth.js';
import { watchEventLoop } from './loop-watch.js';
import { openSocketLater } from './reachable.js';
import { selectionOf, type ServeOptions } from './serve-options.js';
import { findServedConfig, warnOfForeignConfig, type UsableConfigFound } from './served-config.js';
import { openMux, type ReadyMux } from './served-mux.js';
import type { StartRefusal } from './refused.js';
import { serveInProcess, type ServedParts } from './served.js';
import { openStdio } from './stdio-frontend.js';

/**
 * Serves MCP, by default on stdin and stdout, until the client disconnects or a signal arrives. Returns the exit code.
 */
export async function serve(options: ServeOptions, openFrontend: OpenFrontend = openStdio): Promise<number> {
  protectStreams();
  const found = await findServedConfig(options);
  if ('exitCode' in found) return found.exitCode;
  return serveInProcess((served) => startServing(served, found, options, openFrontend));
}

async function startServing(
  served: ServedParts,
  found: UsableConfigFound,
  options: ServeOptions,
  openFrontend: OpenFrontend,
): Promise<StartRefusal | undefined> {
  const cluster = await connectIfClustered(options, found);
  if (cluster !== undefined && 'exitCode' in cluster) return cluster;
  served.add({ stop: () => cluster?.close() });
  const openedMux = await openMux(options, found, () => servers.startedConfig, cluster);
  if ('exitCode' in openedMux) return openedMux;
  const { mux, logger, location } = openedMux;
  served.add({ stop: () => mux.close() });
  const servers = new ConfigServers(found, options, openedMux, cluster);
  const applyConfig = (): Promise<unknown> => servers.reload();
  const page = new ServedPage({
    mux,
    location,
    logger,
    options,
    applyConfig,
    activeConfig: servers.activeConfig,
    cluster: cluster?.view,
  });
  const frontend = await openFrontend(mux, logger, openedMux.http, { page, cluster });
  if ('exitCode' in frontend) return frontend;
  // A node leaves its cluster before its servers stop.
  served.add({ stop: () => cluster?.close() });
  served.add(servers);
  served.add({ ended: frontend.closed.then(() => servers.exitCode()), stop: () => frontend.drain?.() });
  if ((await cluster?.join(mux, logger, found)) === false) return { exitCode: ExitCode.Unreachable };
  startLogging(served, openedMux, frontend);
  if (found.kind === 'foreign') warnOfForeignConfig(found.location, logger);
  servers.start(frontend);
  if (options.socket !== false) {
    const components = { mux, config: location?.file, selection: selectionOf(options), page };
    const instance = openSocketLater(
      { ...components, reloadConfig: () => servers.reload() },
      logger,
      frontend.needed,
    );
    served.add({ stop: () => instance.close() });
  }
  served.add({ stop: () => page.close() });
  return undefined;
}

/** Connects to the cluster if this mcpmux may be a node. Loads the cluster code only then. */
async function connectIfClustered(
  { clustered }: ServeOptions,
  found: UsableConfigFound,
): Promise<ServedCluster | StartRefusal | undefined> {
  if (clustered === undefined) return undefined;
  const { connectCluster } = await import('./serve-cluster.js');
  return connectCluster(clustered, found);
}

/** Starts the logger and the event loop watch, and tunes the heap, without delaying the first response. */
function startLogging(
  served: ServedParts,
  { mux, logger }: ReadyMux,
  { retainsRequests = false }: Frontend,
): void {
  setImmediate(() => void logger.start().then(() => tuneHeapGrowth(mux, retainsRequests)));
  served.add(watchEventLoop(logger));
}
