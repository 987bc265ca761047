/** A node in the cluster. */
export interface ClusterNode {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly started: string;
  readonly labels: readonly string[];
  readonly servers: number;
  readonly capacity: number;
  readonly status: string;
}

/** A server in the cluster. */
export interface PlacedServer {
  readonly name: string;
  readonly node?: string;
  readonly epoch?: number;
  readonly reason?: string;
  readonly placement?: string;
}

/** The cluster as the node that serves the page knows it. */
export interface ClusterShown {
  readonly self: string;
  readonly isConnected: boolean;
  readonly nodes: readonly ClusterNode[];
  readonly servers: readonly PlacedServer[];
}
