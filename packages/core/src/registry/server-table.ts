import { foldServerName } from '@mcpmux/namespace';

import type { Scope } from '../upstream/config/scope.js';
import type { Upstream } from '../upstream/upstream.js';

/** What a {@link ServerTable} must know of a server. */
export type TableEntry = Pick<Upstream, 'name' | 'scope'>;

/** What tells one registration of a name from those of the same name in other scopes, whatever the spelling. */
export function tableKey(name: string, scope: Scope): string {
  return scope.key(foldServerName(name));
}

/**
 * Registered servers by scope and name. Whoever looks sees what is in its own scope and in those it lies in; of several
 * of one name, the innermost.
 */
export class ServerTable<Server extends TableEntry> {
  private readonly servers = new Map<string, Server>();

  get size(): number {
    return this.servers.size;
  }

  add(server: Server): void {
    this.servers.set(tableKey(server.name, server.scope), server);
  }

  /** Returns false for one that is not there (any more). */
  delete(server: Server): boolean {
    return this.has(server) && this.servers.delete(tableKey(server.name, server.scope));
  }

  has(server: Server): boolean {
    return this.servers.get(tableKey(server.name, server.scope)) === server;
  }

  clear(): void {
    this.servers.clear();
  }

  /** Those of all scopes, in the order of addition. */
  all(): readonly Server[] {
    return [...this.servers.values()];
  }

  /** Who takes up a name for those in a scope, whatever the name is spelled like. */
  seen(name: string, from: Scope): Server | undefined {
    const folded = foldServerName(name);
    for (const scope of from.chain) {
      const server = this.servers.get(scope.key(folded));
      if (server !== undefined) return server;
    }
    return undefined;
  }

  /** What is seen from a scope: that of the widest scope first, in the order of addition. */
  list(from: Scope): readonly Server[] {
    return this.all()
      .filter((server) => from.sees(server.scope) && this.seen(server.name, from) === server)
      .toSorted((a, b) => a.scope.depth - b.scope.depth);
  }
}
