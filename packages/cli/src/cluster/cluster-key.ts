import { randomBytes } from 'node:crypto';

import { ClusterError, type Cluster } from '@mcpmux/cluster';

const SECRET_ENTRY = 'key';
const SECRET_BYTES = 32;

/** Returns the secret that all nodes of a cluster share. The first node creates it. */
export async function loadOrCreateClusterKey(cluster: Cluster): Promise<Uint8Array> {
  const bucket = await cluster.bucket('settings');
  const existing = await bucket.get(SECRET_ENTRY);
  if (existing !== undefined) return existing.value;
  const newKey = randomBytes(SECRET_BYTES);
  try {
    await bucket.create(SECRET_ENTRY, newKey);
    return newKey;
  } catch (error) {
    if (!(error instanceof ClusterError) || error.code !== 'CONFLICT') throw error;
    // Another node created the secret first.
    return (await bucket.get(SECRET_ENTRY))?.value ?? newKey;
  }
}
