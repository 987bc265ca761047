import { hasNatsServer } from '@mcpmux/testing/nats-server';
import { describe, expect, it } from 'vitest';

import { ClusterNodes, fixtureServers } from './testing/cluster-nodes.js';

/** The others count a node as gone after 10 seconds without a sign of life. */
const GONE = { timeout: 30_000 };

describe.skipIf(!hasNatsServer)('the metrics of a node', () => {
  it('say whether the node reaches the cluster, and how many nodes are there', async () => {
    await using cluster = await ClusterNodes.open(['a', 'b', 'c'], fixtureServers({ echo: { host: 'a' } }));
    const figures = async (name: string): Promise<readonly (number | undefined)[]> => {
      const { cluster_connected: connected, cluster_nodes: nodes } = await cluster.figures(name, [
        'cluster_connected',
        'cluster_nodes',
      ]);
      return [connected, nodes];
    };
    for (const name of ['a', 'b', 'c']) await expect.poll(() => figures(name)).toEqual([1, 3]);
    await cluster.kill('c');
    for (const name of ['a', 'b']) await expect.poll(() => figures(name), GONE).toEqual([1, 2]);
    await cluster.nats[0]?.kill();
    for (const name of ['a', 'b']) await expect.poll(() => figures(name), GONE).toEqual([0, 0]);
    await cluster.nats[0]?.start();
    for (const name of ['a', 'b']) await expect.poll(() => figures(name), GONE).toEqual([1, 2]);
  });
});
