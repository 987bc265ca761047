/**
 * Who sees a server. Scopes form a tree: whoever is in a scope sees the servers of it and of those it lies in, and no
 * others. A session has a scope of its own, for servers that are there for it alone.
 */
export class Scope {
  /** How many scopes it lies in. */
  readonly depth: number;
  /** This one and those it lies in, the innermost first. */
  readonly chain: readonly Scope[];

  /** @param id tells the scopes of one mux apart: `session 3` */
  constructor(
    readonly id: string,
    parent?: Scope,
  ) {
    this.chain = [this, ...(parent?.chain ?? [])];
    this.depth = this.chain.length - 1;
  }

  /** Whether whoever is in here sees what is in `other`. */
  sees(other: Scope): boolean {
    return this.chain.includes(other);
  }

  /** Tells what is called so here from what is called the same in other scopes. Ids hold no line break. */
  key(name: string): string {
    return `${this.id}\n${name}`;
  }
}

/** What every session of a mux sees. */
export const SHARED = new Scope('shared');
