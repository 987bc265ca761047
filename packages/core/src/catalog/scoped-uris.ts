import type { Scope } from '../upstream/config/scope.js';
import type { Upstream } from '../upstream/upstream.js';
import { LearnedUris, type UriMemory } from './learned-uris.js';

/** The URIs that servers spoke of, kept apart by the scopes of these servers: nobody is brought to one that it does not see. */
export class ScopedUris {
  private readonly memories = new WeakMap<Scope, LearnedUris>();

  /** What is known to those in this scope. Of several servers that spoke of a URI, the one in the widest scope counts. */
  of(viewer: Scope): UriMemory {
    const outermostFirst = viewer.chain.toReversed();
    return {
      learn: (uri, upstream) => this.memoryOf(upstream.scope).learn(uri, upstream),
      ownerOf: (uri) => {
        for (const scope of outermostFirst) {
          const owner = this.memories.get(scope)?.ownerOf(uri);
          if (owner !== undefined) return owner;
        }
        return undefined;
      },
      ownersWhere: (isMeant) => {
        const owners = new Set<Upstream>();
        for (const scope of outermostFirst) {
          for (const owner of this.memories.get(scope)?.ownersWhere(isMeant) ?? []) owners.add(owner);
        }
        return owners;
      },
    };
  }

  private memoryOf(scope: Scope): LearnedUris {
    const known = this.memories.get(scope) ?? new LearnedUris();
    this.memories.set(scope, known);
    return known;
  }
}
