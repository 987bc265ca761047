import type { QualifiedName } from '@mcpmux/namespace';

import type { ListKind } from '../server/lists/list-kind.js';
import type { Upstream } from '../server/upstream.js';
import { indexByServer } from './by-server.js';
import type { Catalog } from './catalog.js';
import type { CatalogSnapshot, CatalogView, ListReader, KnownUris } from './catalog-view.js';
import type { ExposedDefinition } from './exposed-definition.js';
import type { ListPages } from './list-pages.js';
import type { NamedList } from './named-list.js';

/** The catalog of one server, in which tools and prompts have their local names. */
export class ServerCatalog implements CatalogView {
  readonly knownUris: KnownUris;
  private cache: { readonly fullSnapshot: CatalogSnapshot; readonly snapshot: CatalogSnapshot } | undefined;

  constructor(
    private readonly fullCatalog: Catalog,
    private readonly server: string,
  ) {
    const { knownUris } = fullCatalog;
    const isOfServer = (upstream: Upstream): boolean => upstream.name === server;
    this.knownUris = {
      learnOwner: (uri, upstream) => knownUris.learnOwner(uri, upstream),
      ownerOf: (uri) => [knownUris.ownerOf(uri)].find((owner) => owner !== undefined && isOfServer(owner)),
      ownersWhere: (matchesUri) => new Set([...knownUris.ownersWhere(matchesUri)].filter(isOfServer)),
      learnSkill: (exposedUri, resource) => knownUris.learnSkill(exposedUri, resource),
      skillsAt: (exposedUri) => knownUris.skillsAt(exposedUri).filter(({ upstream }) => isOfServer(upstream)),
    };
  }

  snapshot(): CatalogSnapshot {
    const fullSnapshot = this.fullCatalog.snapshot();
    if (this.cache?.fullSnapshot !== fullSnapshot)
      this.cache = { fullSnapshot, snapshot: this.filterSnapshot(fullSnapshot) };
    return this.cache.snapshot;
  }

  list(kind: ListKind, { era }: ListReader = {}): ListPages {
    return this.fullCatalog.listOf(this.snapshot(), { kind, era }, () => false);
  }

  private filterSnapshot({ tools, prompts, resources, upstreams }: CatalogSnapshot): CatalogSnapshot {
    const isOfServer = ({ upstream }: { readonly upstream: Upstream }): boolean =>
      upstream.name === this.server;
    return {
      tools: withLocalNames(tools, isOfServer),
      prompts: withLocalNames(prompts, isOfServer),
      resources: {
        byUri: new Map([...resources.byUri].filter(([, resource]) => isOfServer(resource))),
        aliasesOf: (upstream) => resources.aliasesOf(upstream),
      },
      upstreams: upstreams.filter((upstream) => isOfServer({ upstream })),
      pagesByKey: new Map(),
    };
  }
}

function withLocalNames(list: NamedList, isOfServer: (entry: ExposedDefinition) => boolean): NamedList {
  const localEntry = (entry: ExposedDefinition): ExposedDefinition => {
    const { key } = entry.definition;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- names here do not include the server's name
    return { ...entry, exposedName: key, qualifiedName: key as QualifiedName };
  };
  const byName = new Map(
    [...list.byName.values()].filter(isOfServer).map((entry) => [entry.definition.key, localEntry(entry)]),
  );
  const entries = list.entries.filter(isOfServer).map(localEntry);
  return {
    entries,
    entriesOf: indexByServer(entries, ({ upstream }) => upstream),
    byName,
    byLocalName: new Map([...byName].map(([name, entry]) => [name, [entry]])),
  };
}
