/** The owner of a layer's servers, for display. Empty for the layer that all clients see. */
export interface LayerOwner {
  /** The workspace's name, if the layer belongs to a workspace. */
  readonly workspace?: string;
  /** The session's number, if the layer belongs to one session. */
  readonly session?: number;
}

/**
 * A scope in which servers are registered: the shared registry, a workspace or a session. Layers form a tree. A client
 * in a layer sees only the servers of that layer and of the enclosing layers.
 */
export class Layer<Server = unknown> {
  /** This layer and the enclosing layers, the innermost first. */
  readonly chain: readonly Layer<Server>[];
  /** True for the outermost layer, which all clients see. */
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

  /** True if the layer itself has no servers. Its clients then see only the servers of the enclosing layers. */
  get isEmpty(): boolean {
    return true;
  }

  /** Returns the visible servers, shared ones first, in the order they were added. A reload preserves this order. */
  list(): readonly Server[] {
    return this.parent?.list() ?? [];
  }

  /** True if servers with `isolation: session` are templates in this layer: each session gets its own instance. */
  get holdsTemplates(): boolean {
    return this.isShared;
  }

  /** True if the servers of `other` are visible to a client in this layer. */
  sees(other: Layer): boolean {
    return this.chain.some((layer) => layer === other);
  }

  /** Returns a key for a name in this layer. It is unique within the mux, because ids contain no line break. */
  keyFor(name: string): string {
    return `${this.id}\n${name}`;
  }
}
