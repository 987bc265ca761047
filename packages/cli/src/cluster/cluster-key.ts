import { randomBytes } from 'node:crypto';

import { ClusterError, type Cluster } from '@mcpmux/cluster';

const KEY = 'key';
const KEY_BYTES = 32;

/** Returns the secret that all nodes of a cluster share. The first node creates it. */
export async function clusterKey(cluster: Cluster): Promise<Uint8Array> {
  const bucket = await cluster.bucket('settings');
  const existing = await bucket.get(KEY);
  if (existing !== undefined) return existing.value;
  const newKey = randomBytes(KEY_BYTES);
  try {
    await bucket.create(KEY, newKey);
    return newKey;
  } catch (error) {
    if (!(error instanceof ClusterError) || error.code !== 'CONFLICT') throw error;
    // Another node created the secret first.
    return (await bucket.get(KEY))?.value ?? newKey;
  }
}
