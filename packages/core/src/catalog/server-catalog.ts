import type { QualifiedName } from '@mcpmux/namespace';

import type { ListKind } from '../server/lists/list-kind.js';
import type { Upstream } from '../server/upstream.js';
import { byServer } from './by-server.js';
import type { Catalog } from './catalog.js';
import type { CatalogSnapshot, CatalogView, ListReader, KnownUris } from './catalog-view.js';
import type { ExposedDefinition } from './exposed-definition.js';
import type { ListPages } from './list-pages.js';
import type { NamedList } from './named-list.js';

/** The catalog of one server, with local names. */
export class ServerCatalog implements CatalogView {
  readonly learned: KnownUris;
  private built: { readonly whole: CatalogSnapshot; readonly snapshot: CatalogSnapshot } | undefined;

  constructor(
    private readonly whole: Catalog,
    private readonly server: string,
  ) {
    const { learned } = whole;
    const isMeant = (upstream: Upstream): boolean => upstream.name === server;
    this.learned = {
      learn: (uri, upstream) => learned.learn(uri, upstream),
      ownerOf: (uri) => [learned.ownerOf(uri)].find((owner) => owner !== undefined && isMeant(owner)),
      ownersWhere: (fits) => new Set([...learned.ownersWhere(fits)].filter(isMeant)),
      learnSkill: (seen, resource) => learned.learnSkill(seen, resource),
      skillsAt: (seen) => learned.skillsAt(seen).filter(({ upstream }) => isMeant(upstream)),
    };
  }

  snapshot(): CatalogSnapshot {
    const whole = this.whole.snapshot();
    if (this.built?.whole !== whole) this.built = { whole, snapshot: this.partOf(whole) };
    return this.built.snapshot;
  }

  list(kind: ListKind, { era }: ListReader = {}): ListPages {
    return this.whole.listOf(this.snapshot(), { kind, era }, () => false);
  }

  private partOf({ tools, prompts, resources, upstreams }: CatalogSnapshot): CatalogSnapshot {
    const isMeant = ({ upstream }: { readonly upstream: Upstream }): boolean => upstream.name === this.server;
    return {
      tools: locallyNamed(tools, isMeant),
      prompts: locallyNamed(prompts, isMeant),
      resources: {
        byUri: new Map([...resources.byUri].filter(([, resource]) => isMeant(resource))),
        aliasesOf: (upstream) => resources.aliasesOf(upstream),
      },
      upstreams: upstreams.filter((upstream) => isMeant({ upstream })),
      pages: new Map(),
    };
  }
}

function locallyNamed(list: NamedList, isMeant: (entry: ExposedDefinition) => boolean): NamedList {
  const local = (entry: ExposedDefinition): ExposedDefinition => {
    const { key } = entry.definition;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- names here do not include the server's name
    return { ...entry, exposedName: key, qualifiedName: key as QualifiedName };
  };
  const known = new Map(
    [...list.byName.values()].filter(isMeant).map((entry) => [entry.definition.key, local(entry)]),
  );
  const entries = list.entries.filter(isMeant).map(local);
  return {
    entries,
    entriesOf: byServer(entries, ({ upstream }) => upstream),
    byName: known,
    byLocalName: new Map([...known].map(([name, entry]) => [name, [entry]])),
  };
}
