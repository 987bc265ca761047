import type { ListKind } from '../server/lists/list-kind.js';
import type { Upstream } from '../server/upstream.js';
import { indexByServer } from './by-server.js';
import type { Catalog } from './catalog.js';
import type {
  CatalogSnapshot,
  CatalogView,
  KnownUris,
  ListExposure,
  ListReader,
  ToolSelection,
  Visibility,
} from './catalog-view.js';
import type { ExposedDefinition } from './exposed-definition.js';
import type { ListPages } from './list-pages.js';
import type { NamedList } from './named-list.js';
import { OWN_SERVER } from './own-tool.js';

/** Maps each full snapshot to its visible part. Sessions with the same visibility share this cache. */
export type FilteredSnapshots = WeakMap<
  CatalogSnapshot,
  { readonly version: number; readonly snapshot: CatalogSnapshot }
>;

/**
 * A catalog without the entries that a principal must not see. Names and positions are the same as in the full catalog.
 */
export class FilteredCatalog implements CatalogView {
  readonly knownUris: KnownUris;

  constructor(
    private readonly fullCatalog: Catalog,
    private readonly visibility: Visibility,
    private readonly cache: FilteredSnapshots,
    private readonly exposure?: ListExposure,
  ) {
    const { knownUris } = fullCatalog;
    const isVisible = ({ name }: Upstream): boolean => visibility.server(name);
    this.knownUris = {
      learnOwner: (uri, upstream) => knownUris.learnOwner(uri, upstream),
      learnSkill: (exposedUri, resource) => knownUris.learnSkill(exposedUri, resource),
      skillsAt: (exposedUri) => knownUris.skillsAt(exposedUri).filter(({ upstream }) => isVisible(upstream)),
      ownerOf: (uri) => [knownUris.ownerOf(uri)].find((owner) => owner !== undefined && isVisible(owner)),
      ownersWhere: (matchesUri) => new Set([...knownUris.ownersWhere(matchesUri)].filter(isVisible)),
    };
  }

  snapshot(): CatalogSnapshot {
    const fullSnapshot = this.fullCatalog.snapshot();
    const { filters } = this.visibility;
    if (!filters.hidesEntries) return fullSnapshot;
    const { version } = filters;
    const cached = this.cache.get(fullSnapshot);
    if (cached?.version === version) return cached.snapshot;
    const snapshot = filterSnapshot(this.visibility, fullSnapshot);
    this.cache.set(fullSnapshot, { version, snapshot });
    return snapshot;
  }

  list(kind: ListKind, reader: ListReader = {}): ListPages {
    const { client } = reader;
    const { filters } = this.visibility;
    const guarded = filters.guardedToolsFor?.(client) ?? filters.guardedTools;
    const isOwnToolVisible = (name: string): boolean => this.visibility.tool(OWN_SERVER, name);
    const selection = kind === 'tools' ? this.selectionFor(reader) : undefined;
    return this.fullCatalog.listOf(
      this.snapshot(),
      { ...reader, kind, selection, guarded },
      isOwnToolVisible,
    );
  }

  selectionFor(reader: ListReader): ToolSelection | undefined {
    return this.exposure?.selectionFor(this.snapshot(), reader);
  }
}

function filterSnapshot(
  visibility: Visibility,
  { tools, prompts, resources, upstreams }: CatalogSnapshot,
): CatalogSnapshot {
  const hasVisibleServer = ({ upstream }: { readonly upstream: Upstream }): boolean =>
    visibility.server(upstream.name);
  return {
    tools: filterList(tools, ({ upstream, definition }) => visibility.tool(upstream.name, definition.key)),
    prompts: filterList(prompts, hasVisibleServer),
    resources: {
      byUri: new Map([...resources.byUri].filter(([, resource]) => hasVisibleServer(resource))),
      aliasesOf: (upstream) => resources.aliasesOf(upstream),
    },
    upstreams: upstreams.filter(({ name }) => visibility.server(name)),
    pagesByKey: new Map(),
  };
}

function filterList(list: NamedList, isVisible: (entry: ExposedDefinition) => boolean): NamedList {
  const byLocalName = [...list.byLocalName].map(([name, all]) => [name, all.filter(isVisible)] as const);
  const entries = list.entries.filter(isVisible);
  return {
    entries,
    entriesOf: indexByServer(entries, ({ upstream }) => upstream),
    byName: new Map([...list.byName].filter(([, entry]) => isVisible(entry))),
    byLocalName: new Map(byLocalName.filter(([, visibleEntries]) => visibleEntries.length > 0)),
  };
}
