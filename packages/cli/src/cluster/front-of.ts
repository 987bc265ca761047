import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

import { ClusterError } from '@mcpmux/cluster';

const MAX_TRIES = 4;
const RETRY_PAUSE_MS = 300;

/**
 * Connects to a node's HTTP front. Retries a few times, because NATS reports "no responders" also while a node
 * reconnects. Resolves to `gone` only if the cluster considers the node gone or the node is ending, because a client
 * that gets `gone` never uses its session again.
 *
 * @param open opens a link to the front of the node; throws ClusterError
 * @param isGone resolves to true if the cluster considers the node gone, and to undefined if that is unknown
 * @throws ClusterError NOBODY or UNAVAILABLE if the node may still exist
 */
export async function connectToFront(
  open: () => Promise<Duplex>,
  isGone: () => Promise<boolean | undefined>,
  pause: (ms: number) => Promise<void> = sleep,
): Promise<Duplex | 'gone'> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof ClusterError)) throw error;
      if (error.code === 'REFUSED') return 'gone';
      if (error.code !== 'NOBODY') throw error;
      if ((await isGone()) === true) return 'gone';
      if (tries >= MAX_TRIES) throw error;
      await pause(RETRY_PAUSE_MS);
    }
  }
}
