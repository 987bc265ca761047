import { connectNats } from '@mcpmux/cluster-nats';
import { clusterBuckets } from '@mcpmux/cluster';

import type { ClusterNodes } from './cluster-nodes.js';

/** What the nodes of a cluster have written into NATS: the texts of a bucket by key. */
export async function recordsOf(
  { nats }: ClusterNodes,
  bucket: 'nodes' | 'owners' | 'servers',
): Promise<ReadonlyMap<string, string>> {
  const connection = await connectNats({ servers: nats.map(({ url }) => url) });
  try {
    const found = new Map<string, string>();
    const buckets = await clusterBuckets(connection);
    const stop = await buckets[bucket].watch(({ key, value }) => {
      if (value === undefined) found.delete(key);
      else found.set(key, Buffer.from(value).toString());
    });
    stop();
    return found;
  } finally {
    await connection.close();
  }
}
