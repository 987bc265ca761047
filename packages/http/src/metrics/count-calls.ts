import type { Mux } from '@mcpmux/core';

import type { FrontMetrics } from './front-metrics.js';
import { SharedNames } from './shared-names.js';

/**
 * Counts the calls of a mux, by the server names that every client sees. Returns a function that stops the counting.
 */
export function countCalls(
  mux: Pick<Mux, 'on' | 'listServers'>,
  metrics: Pick<FrontMetrics, 'callEnded'>,
): () => void {
  const names = new SharedNames(mux);
  const unsubscribe = mux.on('call:end', (call) => metrics.callEnded({ ...call, server: names.take(call) }));
  return () => {
    unsubscribe();
    names.close();
  };
}
