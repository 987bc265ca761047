import { ClusterError, type Cluster } from '@mcpmux/cluster';

const KEY = 'minVersion';
const VERSION_FORM = /^(\d+)\.(\d+)\.(\d+)(-.*)?$/;

/**
 * Refuses to join a cluster whose records this version does not understand. A later version that writes such records
 * writes the key `minVersion` first.
 *
 * @throws ClusterError REFUSED for an older version than the cluster needs, UNAVAILABLE
 */
export async function checkVersion(cluster: Cluster, version: string): Promise<void> {
  const entry = await (await cluster.bucket('settings')).get(KEY);
  if (entry === undefined) return;
  const least = Buffer.from(entry.value).toString();
  if (!isOlder(version, least)) return;
  throw new ClusterError(
    'REFUSED',
    `The cluster needs mcpmux ${least} or newer, and this is ${version}. Upgrade mcpmux on this machine.`,
  );
}

/** False for what is no version. A version with a suffix comes before the one without. */
function isOlder(version: string, least: string): boolean {
  const [one, other] = [VERSION_FORM.exec(version), VERSION_FORM.exec(least)];
  if (one === null || other === null) return false;
  for (const at of [1, 2, 3]) if (one[at] !== other[at]) return Number(one[at]) < Number(other[at]);
  return one[4] !== undefined && other[4] === undefined;
}
