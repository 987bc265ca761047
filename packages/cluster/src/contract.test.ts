import { expect, it } from 'vitest';

import { CLUSTER_CONTRACT } from './contract.js';
import { MemoryCluster, MemoryNetwork } from './memory-network.js';

for (const { name, check } of CLUSTER_CONTRACT)
  it(`in memory: ${name}`, async () => {
    const network = new MemoryNetwork();
    const engine = {
      join: () => Promise.resolve(network.join()),
      connect: (cluster: unknown, isConnected: boolean) => {
        if (cluster instanceof MemoryCluster) cluster.connect(isConnected);
      },
    };
    await expect(check(engine)).resolves.toBeUndefined();
  });
