/** The owner of a layer's servers, as displayed to people. Empty if all clients see the servers. */
export interface LayerOwner {
  /** The name of the workspace. */
  readonly workspace?: string;
  /** The number of the session, if the layer belongs to the only client of a session. */
  readonly session?: number;
}

/**
 * A scope in which servers are registered: the shared registry, a workspace or a session. Layers form a tree. A client
 * in a layer sees only the servers of that layer and of the enclosing layers.
 */
export class Layer<Server = unknown> {
  /** This layer and the enclosing layers, the innermost first. */
  readonly chain: readonly Layer<Server>[];
  /** True for the layer that all clients see. */
  readonly isShared: boolean;

  /** @param id the unique id of the layer within its mux, such as `session 3` */
  constructor(
    readonly id: string,
    readonly parent?: Layer<Server>,
    readonly owner: LayerOwner = {},
  ) {
    this.chain = [this, ...(parent?.chain ?? [])];
    this.isShared = parent === undefined;
  }

  /**
   * True if the layer itself has no servers. Its clients then see the same servers as clients in the enclosing layer.
   */
  get isEmpty(): boolean {
    return true;
  }

  /**
   * Returns the servers visible in this layer: first the servers of the shared registry, then other servers, in the
   * order they were added. A reload does not change the order.
   */
  list(): readonly Server[] {
    return this.parent?.list() ?? [];
  }

  /** True if servers with `isolation: session` are templates in this layer, with an instance for each session. */
  get holdsTemplates(): boolean {
    return this.isShared;
  }

  /** True if the servers of `other` are visible to a client in this layer. */
  sees(other: Layer): boolean {
    return this.chain.some((layer) => layer === other);
  }

  /** Returns a key that identifies a name in this layer. It is unambiguous, because ids contain no line break. */
  keyFor(name: string): string {
    return `${this.id}\n${name}`;
  }
}
