import type { MuxComponents } from './mux-api.js';
import { Semaphore } from '../base/semaphore.js';
import { legacyServerDialect } from '../dialect/legacy/server-dialect.js';
import type { Implementation } from '../dialect/server-identity.js';
import { CONCURRENT_SPAWNS, spawnProcess } from '../process/server-process.js';
import type { LoadRemoteTransports } from '../remote/remote-transport.js';
import type { Upstream } from '../upstream/upstream.js';
import type { UpstreamComponents } from '../upstream/upstream-components.js';

/** Nobody without servers at urls pays for the SDK. */
const loadSdkTransports: LoadRemoteTransports = async () =>
  (await import('../remote/sdk-transports.js')).sdkTransports;

/** What one mux gives its servers. */
interface OfMux extends Omit<
  UpstreamComponents<Upstream>,
  'dialect' | 'spawn' | 'spawnLimiter' | 'remoteTransports' | 'logins' | 'nextRunId'
> {
  /** What servers are told of mcpmux. */
  readonly clientInfo: Implementation;
}

/** What the servers of one mux share: what is of the mux itself, and what its host may have replaced. */
export function upstreamComponents(
  { clientInfo, ...ofMux }: OfMux,
  { spawn = spawnProcess, remoteTransports = loadSdkTransports, logins }: MuxComponents,
): UpstreamComponents<Upstream> {
  let runs = 0;
  const spawnLimiter = new Semaphore(CONCURRENT_SPAWNS);
  const dialect = legacyServerDialect(clientInfo);
  return { ...ofMux, dialect, spawn, spawnLimiter, remoteTransports, logins, nextRunId: () => (runs += 1) };
}
