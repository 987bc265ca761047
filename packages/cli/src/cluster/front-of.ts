import type { Duplex } from 'node:stream';

import { ClusterError } from '@mcpmux/core/cluster';

/** The dependencies of {@link frontOf}. */
export interface FrontOfParts {
  /** Opens a link to the front of a node. @throws ClusterError */
  readonly open: () => Promise<Duplex>;
  /** Whether the node counts as one that is there: its last sign of life is some seconds old at the most. */
  readonly isAlive: () => boolean;
  readonly pause: (ms: number) => Promise<void>;
}

const TRIES = 4;
const PAUSE_MS = 300;
const OUT_OF_REACH = 'The node of this session cannot be reached at the moment. Try again in some seconds.';

/**
 * A connection to the front of a node; `gone` when the node has ended, or ends. NATS also answers that nobody is there
 * while a node looks for another server of NATS, so that a node is not gone before its signs of life are too old: a client
 * loses its session with the first 404.
 *
 * @throws ClusterError UNAVAILABLE, also for a node that nobody receives for and that counts as one that is there
 */
export async function frontOf({ open, isAlive, pause }: FrontOfParts): Promise<Duplex | 'gone'> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof ClusterError)) throw error;
      if (error.code === 'REFUSED') return 'gone';
      if (error.code !== 'NOBODY') throw error;
      if (!isAlive()) return 'gone';
      if (tries >= TRIES) throw new ClusterError('UNAVAILABLE', OUT_OF_REACH, { cause: error });
      await pause(PAUSE_MS);
    }
  }
}
