import type { Duplex } from 'node:stream';

import { ClusterError } from '@mcpmux/cluster';

/** The dependencies of {@link frontOf}. */
export interface FrontOfParts {
  /** Opens a link to the front of a node. @throws ClusterError */
  readonly open: () => Promise<Duplex>;
  /** Resolves to true if the cluster counts the node as gone, and to undefined if this node does not know. */
  readonly isGone: () => Promise<boolean | undefined>;
  readonly pause: (ms: number) => Promise<void>;
}

const TRIES = 4;
const PAUSE_MS = 300;

/**
 * Opens a connection to the front of a node. Returns `gone` if the cluster counts the node as gone, or the node is
 * ending. NATS also reports that there is no responder while the node reconnects to another NATS server. That response
 * does not prove that the node is gone. A client that learns that its session is gone never retries the session.
 *
 * @throws ClusterError NOBODY and UNAVAILABLE if the node may still exist
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
