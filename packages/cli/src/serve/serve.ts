import { ExitCode } from '../base/exit-code.js';
import type { ServedCluster } from '../cluster/served-cluster.js';
import { protectStreams } from '../log/protect-streams.js';
import { ServedPage } from '../page/served-page.js';
import { ConfigServers } from './config-servers.js';
import type { Frontend, OpenFrontend } from './frontend.js';
import { fitHeapGrowth } from './heap-growth.js';
import { watchLoop } from './loop-watch.js';
import { openSocketLater } from './reachable.js';
import { selectionOf, type ServeOptions } from './serve-options.js';
import { servedConfig, warnOfForeign, type UsableConfigFound } from './served-config.js';
import { openMux, type OpenMux } from './served-mux.js';
import type { Refused } from './refused.js';
import { serveInProcess, type Served } from './served.js';
import { openStdio } from './stdio-frontend.js';

/**
 * Serves MCP, by default on stdin and stdout, until the client disconnects or a signal arrives. Returns the exit code.
 */
export async function serve(options: ServeOptions, openFrontend: OpenFrontend = openStdio): Promise<number> {
  protectStreams();
  const found = await servedConfig(options);
  if ('exitCode' in found) return found.exitCode;
  return serveInProcess((served) => open(served, found, options, openFrontend));
}

async function open(
  served: Served,
  found: UsableConfigFound,
  options: ServeOptions,
  openFrontend: OpenFrontend,
): Promise<Refused | undefined> {
  const cluster = await clusterOf(options, found);
  if (cluster !== undefined && 'exitCode' in cluster) return cluster;
  served.add({ stop: () => cluster?.close() });
  const opened = await openMux(options, found, () => servers.started, cluster);
  if ('exitCode' in opened) return opened;
  const { mux, logger, location } = opened;
  served.add({ stop: () => mux.close() });
  const servers = new ConfigServers(found, options, opened, cluster);
  const applyConfig = (): Promise<unknown> => servers.apply();
  const page = new ServedPage({
    mux,
    location,
    logger,
    options,
    applyConfig,
    inForce: servers.inForce,
    cluster: cluster?.view,
  });
  const frontend = await openFrontend(mux, logger, opened.http, { page, cluster });
  if ('exitCode' in frontend) return frontend;
  // A node leaves its cluster before its servers stop.
  served.add({ stop: () => cluster?.close() });
  served.add(servers);
  served.add({ ended: frontend.closed.then(() => servers.exitCode()), stop: () => frontend.drain?.() });
  if ((await cluster?.join(mux, logger, found)) === false) return { exitCode: ExitCode.Unreachable };
  startLog(served, opened, frontend);
  if (found.kind === 'foreign') warnOfForeign(found.location, logger);
  servers.start(frontend);
  if (options.socket !== false) {
    const components = { mux, config: location?.file, selection: selectionOf(options), page };
    const instance = openSocketLater(
      { ...components, reloadConfig: () => servers.apply() },
      logger,
      frontend.needed,
    );
    served.add({ stop: () => instance.close() });
  }
  served.add({ stop: () => page.close() });
  return undefined;
}

/** Connects to the cluster if this mcpmux may be a node. Loads the code for clusters only if necessary. */
async function clusterOf(
  { clustered }: ServeOptions,
  found: UsableConfigFound,
): Promise<ServedCluster | Refused | undefined> {
  if (clustered === undefined) return undefined;
  const { joinCluster } = await import('./serve-cluster.js');
  return joinCluster(clustered, found);
}

/** Starts the logger and the watch of the event loop, and tunes the heap, without delaying the first response. */
function startLog(served: Served, { mux, logger }: OpenMux, { retainsRequests = false }: Frontend): void {
  setImmediate(() => void logger.start().then(() => fitHeapGrowth(mux, retainsRequests)));
  served.add(watchLoop(logger));
}
