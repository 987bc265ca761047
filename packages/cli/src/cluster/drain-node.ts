import { finished } from 'node:stream/promises';

import type { Links } from '@mcpmux/cluster';

/** Has a node give its servers to other nodes. @throws ClusterError */
export async function drainNode(links: Pick<Links, 'open'>, id: string): Promise<void> {
  const link = await links.open(id, { command: 'drain' });
  link.resume();
  try {
    await finished(link, { writable: false });
  } finally {
    // The half of this end is open: both nodes would keep the link for ever.
    link.destroy();
  }
}
