import type { Upstream } from '../upstream/upstream.js';

/** A server that sleeps or is being reloaded keeps its entries in the lists until it is known what becomes of them. */
export function isListed({ state, ranBefore }: Upstream): boolean {
  return state.kind === 'running' || state.kind === 'idle' || (state.kind === 'starting' && ranBefore);
}
