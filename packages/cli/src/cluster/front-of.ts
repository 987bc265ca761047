import type { Duplex } from 'node:stream';

import { ClusterError } from '@mcpmux/cluster';

/** The dependencies of {@link frontOf}. */
export interface FrontOfParts {
  /** Opens a link to the front of a node. @throws ClusterError */
  readonly open: () => Promise<Duplex>;
  /** Resolves to true if the cluster counts the node as gone; to undefined when this node cannot tell. */
  readonly isGone: () => Promise<boolean | undefined>;
  readonly pause: (ms: number) => Promise<void>;
}

const TRIES = 4;
const PAUSE_MS = 300;

/**
 * A connection to the front of a node; `gone` when the cluster counts the node as gone, or the node ends. NATS also
 * answers that nobody is there while the node connects to another server of NATS: this answer alone proves nothing, and
 * a client that is told that its session is gone never tries it again.
 *
 * @throws ClusterError NOBODY and UNAVAILABLE when the node may be there
 */
export async function frontOf({ open, isGone, pause }: FrontOfParts): Promise<Duplex | 'gone'> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof ClusterError)) throw error;
      if (error.code === 'REFUSED') return 'gone';
      if (error.code !== 'NOBODY') throw error;
      if ((await isGone()) === true) return 'gone';
      if (tries >= TRIES) throw error;
      await pause(PAUSE_MS);
    }
  }
}
