import { ClusterError, type Cluster } from '@mcpmux/cluster';

const MIN_VERSION_KEY = 'minVersion';
const VERSION_PATTERN = /^(\d+)\.(\d+)\.(\d+)(-.*)?$/;

/**
 * Refuses to join a cluster whose records this version cannot read. A later version writes the key `minVersion` before
 * it writes records of a new format.
 *
 * @throws ClusterError REFUSED if this version is older than the cluster requires; UNAVAILABLE if the engine does not
 *   respond
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

/** False if either version is invalid. A version with a suffix is older than the same version without it. */
function isOlder(version: string, minVersion: string): boolean {
  const [one, other] = [VERSION_PATTERN.exec(version), VERSION_PATTERN.exec(minVersion)];
  if (one === null || other === null) return false;
  for (const at of [1, 2, 3]) if (one[at] !== other[at]) return Number(one[at]) < Number(other[at]);
  return one[4] !== undefined && other[4] === undefined;
}
