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

/**
 * A connection to the front of a node; `gone` when the node has ended, or ends. NATS also answers that nobody is there
 * while its servers find each other again, so that a node that was there just now gets another second.
 *
 * @throws ClusterError UNAVAILABLE
 */
export async function frontOf({ open, isAlive, pause }: FrontOfParts): Promise<Duplex | 'gone'> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof ClusterError)) throw error;
      if (error.code === 'REFUSED') return 'gone';
      if (error.code !== 'NOBODY') throw error;
      if (tries >= TRIES || !isAlive()) return 'gone';
      await pause(PAUSE_MS);
    }
  }
}
