import { ClusterError, type Cluster } from '@mcpmux/cluster';

const MIN_VERSION_KEY = 'minVersion';
const VERSION_PATTERN = /^(\d+)\.(\d+)\.(\d+)(-.*)?$/;

/**
 * Rejects if this version is too old to read the cluster's records. A later version writes the key `minVersion` before
 * it writes records in a new format.
 *
 * @throws ClusterError REFUSED if this version is too old; UNAVAILABLE if the engine does not respond
 */
export async function requireMinVersion(cluster: Cluster, version: string): Promise<void> {
  const entry = await (await cluster.bucket('settings')).get(MIN_VERSION_KEY);
  if (entry === undefined) return;
  const minVersion = Buffer.from(entry.value).toString();
  if (!isOlder(version, minVersion)) return;
  throw new ClusterError(
    'REFUSED',
    `The cluster needs mcpmux ${minVersion} or newer, and this is ${version}. Upgrade mcpmux on this machine.`,
  );
}

/** True if `version` precedes `minVersion`, and false if either is invalid. A pre-release precedes its release. */
function isOlder(version: string, minVersion: string): boolean {
  const [one, other] = [VERSION_PATTERN.exec(version), VERSION_PATTERN.exec(minVersion)];
  if (one === null || other === null) return false;
  for (const at of [1, 2, 3]) if (one[at] !== other[at]) return Number(one[at]) < Number(other[at]);
  return one[4] !== undefined && other[4] === undefined;
}
