import { describe, expect, it } from 'vitest';

import { processGroup } from '@mcpmux/core/testing/processes';
import { ABORT_TIMINGS, longestStopMs } from '@mcpmux/core/testing/processes';
import { ClusterRig } from './testing/cluster-rig.js';
import { LEASE_MS } from './cluster-member.js';
import { TICKS_PER_LEASE } from './cluster-node.js';
import { MARGIN_FRACTION } from './lease.js';
import { MemoryNetwork, type MemoryCluster } from './memory-network.js';

describe('a singleton', () => {
  it('has ended before another node may start it, in the worst case', () => {
    const noticedMs = LEASE_MS / TICKS_PER_LEASE;
    expect(noticedMs + longestStopMs(ABORT_TIMINGS)).toBeLessThan(LEASE_MS * MARGIN_FRACTION);
  });

  it('has no process left on a node that is cut off when another node starts it, although it stays', async () => {
    const network = new MemoryNetwork();
    const joined: MemoryCluster[] = [];
    const join = (): Promise<MemoryCluster> => {
      const cluster = network.join();
      joined.push(cluster);
      return Promise.resolve(cluster);
    };
    await using rig = await ClusterRig.open(join, LEASE_MS);
    for (const name of ['a', 'b']) await rig.node(name);
    const owner = await rig.server('ignore-sigterm', { singleton: true });
    const other = rig.otherThan(owner);
    const group = processGroup(owner.mux.listServers()[0]?.pid ?? 0);
    expect(group.isAlive()).toBe(true);
    const wasAlive = new Promise<boolean>((resolve) => {
      other.mux.on('server:added', () => resolve(group.isAlive()));
    });
    joined[rig.nodes.indexOf(owner)]?.connect(false);
    await expect(wasAlive).resolves.toBe(false);
    expect(other.member.node.places.get('ignore-sigterm')?.kind).toBe('here');
  });
});
