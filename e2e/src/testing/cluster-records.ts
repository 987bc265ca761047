import { connectNats } from '@mcpmux/cluster-nats';

import type { ClusterNodes } from './cluster-nodes.js';

/** What the nodes of a cluster have written into NATS: the texts of a bucket by key. */
export async function recordsOf(
  { nats }: ClusterNodes,
  bucket: 'nodes' | 'owners' | 'servers',
): Promise<ReadonlyMap<string, string>> {
  const connection = await connectNats({ servers: nats.map(({ url }) => url) });
  try {
    const found = new Map<string, string>();
    const opened = await connection.bucket(bucket);
    const stop = await opened.watch(({ key, value }) => {
      if (value === undefined) found.delete(key);
      else found.set(key, Buffer.from(value).toString());
    });
    stop();
    return found;
  } finally {
    await connection.close();
  }
}
