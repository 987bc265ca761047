import type { Upstream } from '../upstream/upstream.js';
import type { KnownUris } from './catalog-view.js';

/** URIs remembered; the one that was seen longest ago gives way. */
export const MAX_LEARNED_URIS = 10_000;

/**
 * Which server spoke of a URI: results link to resources that are in no list ("Resource links returned by tools are not
 * guaranteed to appear in the results of a resources/list request", specification, tools). Each layer remembers what its
 * own servers spoke of; of several servers that spoke of a URI, the one in the outermost layer counts.
 */
export class LearnedUris implements KnownUris {
  private readonly owners = new Map<string, Upstream>();

  constructor(
    private readonly layer?: object,
    private readonly around?: LearnedUris,
  ) {}

  learn(uri: string, upstream: Upstream): void {
    if (this.around !== undefined && upstream.layer !== this.layer) return this.around.learn(uri, upstream);
    // Deleted first: a map keeps the order of insertion.
    this.owners.delete(uri);
    this.owners.set(uri, upstream);
    if (this.owners.size <= MAX_LEARNED_URIS) return;
    const [oldest] = this.owners.keys();
    if (oldest !== undefined) this.owners.delete(oldest);
  }

  ownerOf(uri: string): Upstream | undefined {
    const outer = this.around?.ownerOf(uri);
    if (outer !== undefined) return outer;
    const owner = this.owners.get(uri);
    return owner === undefined || owner.state.kind === 'removed' ? undefined : owner;
  }

  ownersWhere(isMeant: (uri: string) => boolean): ReadonlySet<Upstream> {
    const owners = new Set(this.around?.ownersWhere(isMeant));
    for (const [uri, owner] of this.owners) {
      if (isMeant(uri) && owner.state.kind !== 'removed') owners.add(owner);
    }
    return owners;
  }
}
