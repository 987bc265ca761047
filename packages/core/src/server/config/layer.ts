/** The owner of the servers of a layer, for readers; empty for the servers of all clients. */
export interface LayerOwner {
  /** The name of the workspace. */
  readonly workspace?: string;
  /** The number of the session of the only client. */
  readonly session?: number;
}

/**
 * Where servers are registered: in the shared registry, in a workspace or in a session. Layers form a tree; a client in a
 * layer sees the servers of that layer and of those around it, and no others.
 */
export class Layer<Server = unknown> {
  /** This layer and those around it, the innermost first. */
  readonly chain: readonly Layer<Server>[];

  /** @param id tells the layers of one mux apart: `session 3` */
  constructor(
    readonly id: string,
    readonly parent?: Layer<Server>,
    readonly owner: LayerOwner = {},
  ) {
    this.chain = [this, ...(parent?.chain ?? [])];
  }

  /** True without servers of its own: then clients in this layer see what those in the layer around it see. */
  get isEmpty(): boolean {
    return true;
  }

  /** The servers seen from here: those of the shared registry first, in the order of addition. A reload keeps the place. */
  list(): readonly Server[] {
    return this.parent?.list() ?? [];
  }

  /** True for the layer that all clients see. */
  get isShared(): boolean {
    return this.chain.length === 1;
  }

  /** True where servers with `isolation: session` are templates, of which each session further in has an instance. */
  get holdsTemplates(): boolean {
    return this.isShared;
  }

  /** True if the servers of `other` are visible to a client in this layer. */
  sees(other: Layer): boolean {
    return this.chain.some((layer) => layer === other);
  }

  /** Tells a name in this layer from the same name in other layers. Ids hold no line break. */
  key(name: string): string {
    return `${this.id}\n${name}`;
  }
}
