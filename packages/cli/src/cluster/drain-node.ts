import { finished } from 'node:stream/promises';

import type { Links } from '@mcpmux/cluster';

/** Makes a node transfer its servers to other nodes. @throws ClusterError */
export async function drainNode(links: Pick<Links, 'open'>, id: string): Promise<void> {
  const link = await links.open(id, { command: 'drain' });
  link.resume();
  try {
    await finished(link, { writable: false });
  } finally {
    // The other node has closed only its end of the link. Without `destroy`, the link would stay open forever.
    link.destroy();
  }
}
