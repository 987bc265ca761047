/** The owner of the servers in a layer, for readers. Empty for servers that all clients see. */
export interface LayerOwner {
  /** The name of the workspace. */
  readonly workspace?: string;
  /** The number of the session, if the layer belongs to the only client of a session. */
  readonly session?: number;
}

/**
 * A place in which servers are registered: the shared registry, a workspace or a session. Layers form a tree. A client
 * in a layer sees the servers in that layer and in the layers around it, and no others.
 */
export class Layer<Server = unknown> {
  /** This layer and the layers around it, the innermost first. */
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
   * True if the layer has no servers of its own. Then its clients see the same servers as clients in the layer around
   * it.
   */
  get isEmpty(): boolean {
    return true;
  }

  /**
   * Returns the servers visible in this layer: first the servers of the shared registry, then the others, in the order
   * they were added. A reload keeps the position.
   */
  list(): readonly Server[] {
    return this.parent?.list() ?? [];
  }

  /**
   * True if servers with `isolation: session` are templates here. Each session within this layer has an instance of
   * each template.
   */
  get holdsTemplates(): boolean {
    return this.isShared;
  }

  /** True if the servers of `other` are visible to a client in this layer. */
  sees(other: Layer): boolean {
    return this.chain.some((layer) => layer === other);
  }

  /**
   * Returns a key that distinguishes a name in this layer from the same name in other layers. Ids contain no line
   * break.
   */
  key(name: string): string {
    return `${this.id}\n${name}`;
  }
}
