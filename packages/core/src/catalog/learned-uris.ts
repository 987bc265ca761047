import type { Upstream } from '../server/upstream.js';
import type { KnownUris } from './catalog-view.js';
import type { OwnedResource } from './resource-names.js';

/** Maximum number of resource URIs, and of skill URIs, per layer. The least recently mentioned URI is evicted first. */
export const MAX_LEARNED_URIS = 10_000;

/**
 * Remembers which server mentioned a URI, because tool results may link to resources that no list contains ("Resource
 * links returned by tools are not guaranteed to appear in the results of a resources/list request", specification,
 * tools). Each layer remembers the URIs that its own servers mentioned. If servers in several layers mentioned a URI,
 * the server in the outermost layer is its owner.
 */
export class LearnedUris implements KnownUris {
  private readonly owners = new Map<string, Upstream>();
  private readonly skills = new Map<string, readonly OwnedResource[]>();

  constructor(
    private readonly layer?: object,
    private readonly parent?: LearnedUris,
  ) {}

  learnOwner(uri: string, upstream: Upstream): void {
    if (this.parent !== undefined && upstream.layer !== this.layer)
      return this.parent.learnOwner(uri, upstream);
    // A map iterates in insertion order. Deleting the entry first moves it to the end.
    this.owners.delete(uri);
    this.owners.set(uri, upstream);
    if (this.owners.size <= MAX_LEARNED_URIS) return;
    const [oldest] = this.owners.keys();
    if (oldest !== undefined) this.owners.delete(oldest);
  }

  ownerOf(uri: string): Upstream | undefined {
    const enclosingOwner = this.parent?.ownerOf(uri);
    if (enclosingOwner !== undefined) return enclosingOwner;
    const owner = this.owners.get(uri);
    return owner === undefined || owner.state.kind === 'removed' ? undefined : owner;
  }

  learnSkill(exposedUri: string, resource: OwnedResource): void {
    const { upstream } = resource;
    if (this.parent !== undefined && upstream.layer !== this.layer)
      return this.parent.learnSkill(exposedUri, resource);
    const otherSkills = (this.skills.get(exposedUri) ?? []).filter((other) => other.upstream !== upstream);
    this.skills.delete(exposedUri);
    this.skills.set(exposedUri, [...otherSkills.filter(isRegistered), resource]);
    if (this.skills.size <= MAX_LEARNED_URIS) return;
    const [oldest] = this.skills.keys();
    if (oldest !== undefined) this.skills.delete(oldest);
  }

  skillsAt(exposedUri: string): readonly OwnedResource[] {
    return [
      ...(this.parent?.skillsAt(exposedUri) ?? []),
      ...(this.skills.get(exposedUri) ?? []).filter(isRegistered),
    ];
  }

  ownersWhere(matchesUri: (uri: string) => boolean): ReadonlySet<Upstream> {
    const owners = new Set(this.parent?.ownersWhere(matchesUri));
    for (const [uri, owner] of this.owners) {
      if (matchesUri(uri) && owner.state.kind !== 'removed') owners.add(owner);
    }
    return owners;
  }
}

function isRegistered({ upstream }: OwnedResource): boolean {
  return upstream.state.kind !== 'removed';
}
