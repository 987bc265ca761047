import { finished } from 'node:stream/promises';

import type { Links } from '@mcpmux/cluster';

/** Makes a node transfer its servers to other nodes. @throws ClusterError */
export async function drainNode(links: Pick<Links, 'open'>, id: string): Promise<void> {
  const link = await links.open(id, { command: 'drain' });
  link.resume();
  try {
    await finished(link, { writable: false });
  } finally {
    // This end of the link is only half-closed. Without `destroy`, both nodes would keep the link open forever.
    link.destroy();
  }
}
