/** A node of the cluster of this mcpmux, as the page shows it. */
export interface NodeShown {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  /** When it was started, ISO 8601. */
  readonly started: string;
  readonly labels: readonly string[];
  /** How many servers it runs, and the most that it runs. */
  readonly servers: number;
  readonly capacity: number;
  readonly status: 'running' | 'drained' | 'silent';
}

/** A server of the cluster, as the page shows it. */
export interface PlacedServer {
  readonly name: string;
  /** Name of the node that runs it. */
  readonly node?: string;
  readonly epoch?: number;
  /** Why no node runs it. */
  readonly reason?: string;
  /** The rules for its node, for readers; absent when any node may run it. */
  readonly placement?: string;
}

/** A cluster as one node knows it. */
export interface ClusterShown {
  /** Id of this node. */
  readonly self: string;
  /** False while this node goes on alone. */
  readonly isConnected: boolean;
  readonly nodes: readonly NodeShown[];
  readonly servers: readonly PlacedServer[];
}

/** The cluster behind the page. */
export interface ClusterView {
  read(): ClusterShown;
  /**
   * Has a node give its servers to other nodes.
   *
   * @param node an id
   * @throws Error for a node that cannot be reached
   */
  drain(node: string): Promise<void>;
}
