import type { Scope } from '../upstream/config/scope.js';
import type { Upstream } from '../upstream/upstream.js';

/** Positions of one scope. Whatever is in a wider scope stands before. */
const PLACES_OF_SCOPE = 2 ** 40;

/**
 * Where the entries of each server stand in the merged lists. Positions only grow: a server that was removed and added again
 * stands at the end of its scope. How many there are in other scopes does not show.
 */
export class ListOrder {
  private readonly places = new WeakMap<Upstream, number>();
  private readonly given = new WeakMap<Scope, number>();

  /** @param upstreams those of all scopes, in the order of registration */
  constructor(private readonly upstreams: () => readonly Upstream[]) {}

  of(upstream: Upstream): number {
    const known = this.places.get(upstream);
    if (known !== undefined) return known;
    // In the order of registration, also where a list was never asked for while the first of them were there.
    for (const registered of this.upstreams()) {
      if (!this.places.has(registered)) this.give(registered);
    }
    return this.places.get(upstream) ?? this.give(upstream);
  }

  private give(upstream: Upstream): number {
    const { scope } = upstream;
    const count = (this.given.get(scope) ?? 0) + 1;
    const place = scope.depth * PLACES_OF_SCOPE + count;
    this.given.set(scope, count);
    this.places.set(upstream, place);
    return place;
  }
}
