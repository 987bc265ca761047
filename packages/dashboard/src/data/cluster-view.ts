/** A node in the cluster, as the page shows it. */
export interface NodeShown {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  /** The node's start time, in ISO 8601. */
  readonly started: string;
  readonly labels: readonly string[];
  /** The number of servers that the node runs. `capacity` is its maximum. */
  readonly servers: number;
  readonly capacity: number;
  readonly status: 'running' | 'drained' | 'silent';
}

/** A server in the cluster, as the page shows it. */
export interface PlacedServer {
  readonly name: string;
  /** The name of the node that runs the server. */
  readonly node?: string;
  readonly epoch?: number;
  /** The reason why no node runs the server. */
  readonly reason?: string;
  /** The server's placement rules, as text for people. Absent if any node may run the server. */
  readonly placement?: string;
}

/** A cluster's state, as one node sees it. */
export interface ClusterShown {
  /** This node's id. */
  readonly self: string;
  /** False while this node is not connected to the cluster. */
  readonly isConnected: boolean;
  readonly nodes: readonly NodeShown[];
  readonly servers: readonly PlacedServer[];
}

/** The cluster that the page shows. */
export interface ClusterView {
  read(): ClusterShown;
  /**
   * Makes a node hand over its servers to other nodes.
   *
   * @param node the node's id
   * @throws Error if the node cannot be reached
   */
  drain(node: string): Promise<void>;
}
