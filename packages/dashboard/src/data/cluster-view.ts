/** A node in the cluster of this mcpmux, as the page shows it. */
export interface NodeShown {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  /** The start time of the node, in ISO 8601. */
  readonly started: string;
  readonly labels: readonly string[];
  /** The number of servers that the node runs. `capacity` is the maximum. */
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
  /** The reason why the server does not run on any node. */
  readonly reason?: string;
  /** The placement rules of the server as readable text. Absent if any node may run the server. */
  readonly placement?: string;
}

/** The state of a cluster, as one node sees it. */
export interface ClusterShown {
  /** The id of this node. */
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
   * Makes a node transfer its servers to other nodes.
   *
   * @param node the id of the node
   * @throws Error if the node cannot be reached
   */
  drain(node: string): Promise<void>;
}
