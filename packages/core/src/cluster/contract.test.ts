import { expect, it } from 'vitest';

import { CLUSTER_CONTRACT } from './contract.js';
import { MemoryNetwork } from './memory-network.js';

for (const { name, check } of CLUSTER_CONTRACT)
  it(`in memory: ${name}`, async () => {
    const network = new MemoryNetwork();
    await expect(check(() => Promise.resolve(network.join()))).resolves.toBeUndefined();
  });
