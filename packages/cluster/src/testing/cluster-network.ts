import type { Cluster } from '../cluster.js';
import { MemoryNetwork } from '../memory-network.js';

/** Opens connections to one cluster, each for a node. */
export type Join = () => Promise<Cluster>;

/** An engine of clusters. */
export interface TestEngine {
  /** A new cluster that has nothing. */
  open(options: { maxMessageBytes?: number }): Promise<Join>;
}

const MEMORY: TestEngine = {
  open: (options) => {
    const network = new MemoryNetwork(options);
    return Promise.resolve(() => Promise.resolve(network.join()));
  },
};

let engine = MEMORY;

/**
 * Has the suites of clusters run over another engine than memory: an engine brings them into a test file of its own.
 *
 * @public
 */
export function useEngine(other: TestEngine): void {
  engine = other;
}

/** A new cluster of the engine under test. */
export function newCluster(options: { maxMessageBytes?: number } = {}): Promise<Join> {
  return engine.open(options);
}
