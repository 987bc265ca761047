import { once } from 'node:events';

import type { Links } from '@mcpmux/core/cluster';

/** Has a node give its servers to other nodes. @throws ClusterError */
export async function drainNode(links: Pick<Links, 'open'>, id: string): Promise<void> {
  const link = await links.open(id, { command: 'drain' });
  link.resume();
  await once(link, 'end');
}
