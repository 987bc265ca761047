import type { Era } from '../server/dialect/era.js';
import type { Layer } from '../server/config/layer.js';
import { LISTS, type ListKind } from '../server/lists/list-kind.js';
import type { Upstream } from '../server/upstream.js';
import { isListed, appearsInLists, listEntry, type ExposedDefinition } from './exposed-definition.js';
import { LearnedUris } from './learned-uris.js';
import { ListPages, type ListEntry } from './list-pages.js';
import { mergeNamedLists } from './named-list.js';
import type { CatalogSnapshot, CatalogView, ListReader, ToolSelection } from './catalog-view.js';
import { needsGuard, type OwnTool } from './own-tool.js';
import { nameResources } from './resource-names.js';
import { resourceEntry, toolEntry } from './list-entries.js';

const NO_TOOL_NAMES: ReadonlySet<string> = new Set();

/** Settings for a {@link Catalog}'s lists. */
export interface CatalogOptions {
  /** Maximum length of a tool or prompt name that clients see, in characters. */
  readonly nameBudget: number;
  /** Maximum size of a page, in bytes of JSON. A longer list is split into pages. */
  readonly listPageBytes: number;
}

/**
 * The merged lists of one layer: mcpmux's own tools first, then the servers' entries, in the order of the servers'
 * registration.
 *
 * Lists are built on request and cached until a server of this layer or of an enclosing layer changes. A layer without
 * servers uses the enclosing layer's snapshot, so that all clients that see the same lists share one cache.
 */
export class Catalog implements CatalogView {
  readonly knownUris: LearnedUris;
  /** The latest snapshot. Valid until this layer changes or the enclosing layer has a new snapshot. */
  private cache:
    | { readonly enclosing: CatalogSnapshot | undefined; readonly snapshot: CatalogSnapshot }
    | undefined;

  /** For each snapshot, true if any of its tool definitions depends on the era. */
  private readonly eraDependence = new WeakMap<CatalogSnapshot, boolean>();

  /** @param parent the catalog of the enclosing layer; undefined for the shared registry */
  constructor(
    private readonly ownTools: readonly OwnTool[],
    private readonly options: CatalogOptions,
    private readonly layer: Pick<Layer<Upstream>, 'isEmpty' | 'list'>,
    private readonly parent?: Catalog,
  ) {
    this.knownUris = new LearnedUris(layer, parent?.knownUris);
  }

  snapshot(): CatalogSnapshot {
    const enclosing = this.parent?.snapshot();
    if (this.cache === undefined || this.cache.enclosing !== enclosing) {
      const { layer, options } = this;
      const snapshot =
        enclosing && layer.isEmpty ? enclosing : buildSnapshot(layer.list(), options.nameBudget);
      this.cache = { enclosing, snapshot };
    }
    return this.cache.snapshot;
  }

  list(kind: ListKind, reader: ListReader = {}): ListPages {
    return this.listOf(this.snapshot(), { ...reader, kind });
  }

  /** True if any tool definition depends on the era. Cached, because a snapshot may have thousands of tools. */
  private differsByEra(snapshot: CatalogSnapshot): boolean {
    const differs = this.eraDependence.get(snapshot) ?? snapshot.tools.entries.some(dependsOnEra);
    this.eraDependence.set(snapshot, differs);
    return differs;
  }

  /**
   * Returns a snapshot's list in the given variant, cached by the snapshot or by the selection.
   *
   * @param snapshot this catalog's snapshot, or a filtered part of it
   * @param showsOwnTool returns true if the list includes the own tool with this name
   */
  listOf(
    snapshot: CatalogSnapshot,
    { kind, era = 'legacy', selection, hasApps, guarded = NO_TOOL_NAMES }: ListVariant,
    showsOwnTool: (name: string) => boolean = () => true,
  ): ListPages {
    // Clients of both eras share a list unless a definition in it depends on the era.
    const listEra = kind === 'tools' && this.differsByEra(snapshot) ? era : 'legacy';
    const baseKey = listEra === 'legacy' ? kind : `${kind} ${listEra}`;
    const showsApps = hasApps === true && kind === 'tools' && this.hasOwnApps;
    const key = [baseKey, selection?.key, ...guarded, showsApps ? ' apps' : undefined].join(' ');
    const pagesByKey = selection?.pageCacheFor?.(snapshot) ?? snapshot.pagesByKey;
    let pages = pagesByKey.get(key);
    if (pages === undefined) {
      const list = { kind, era: listEra, selection, hasApps: showsApps, guarded };
      const entries = this.entriesOf(list, snapshot, showsOwnTool);
      pages = new ListPages(kind, LISTS[kind].member, entries, this.options.listPageBytes);
      pagesByKey.set(key, pages);
    }
    return pages;
  }

  private get hasOwnApps(): boolean {
    return this.ownTools.some(({ appJson }) => appJson !== undefined);
  }

  /** Drops the cached lists. Must be called whenever a server of this layer is added, changed or removed. */
  invalidate(): void {
    this.cache = undefined;
  }

  private entriesOf(
    list: ListVariant,
    snapshot: CatalogSnapshot,
    showsOwnTool: (name: string) => boolean,
  ): readonly ListEntry[] {
    const { prompts, resources, upstreams } = snapshot;
    const { kind } = list;
    switch (kind) {
      case 'tools':
        return this.toolsOf(list, snapshot, showsOwnTool);
      case 'prompts':
        return prompts.entries.map((prompt) => entryOf(prompt, listEntry(prompt)));
      case 'resources':
      case 'resourceTemplates':
        return upstreams.filter(isListed).flatMap((upstream) => {
          const aliases = resources.aliasesOf(upstream);
          return upstream.lists[kind].map((definition) =>
            entryOf({ upstream, definition }, resourceEntry(definition, aliases)),
          );
        });
    }
  }

  private toolsOf(
    { era, selection, hasApps, guarded = NO_TOOL_NAMES }: ListVariant,
    { tools, resources }: CatalogSnapshot,
    showsOwnTool: (name: string) => boolean,
  ): readonly ListEntry[] {
    const ownEntries = this.ownTools
      .filter(({ name }) => showsOwnTool(name) && selection?.includesOwnTool(name) !== false)
      .filter(({ name }) => guarded.has(name) || !needsGuard(name))
      .map(({ name, json, appJson = json }) => ({
        json: Buffer.from(hasApps === true ? appJson : json),
        place: 0,
        key: name,
      }));
    const entries = tools.entries
      .filter(appearsInLists)
      .map((tool) => ({ tool, json: toolEntry(toolForEra(era, tool), resources.aliasesOf(tool.upstream)) }));
    const ownBytes = ownEntries.reduce((sum, { json }) => sum + json.length, 0);
    const selected = selection?.select(entries, ownBytes) ?? entries;
    return [...ownEntries, ...selected.map(({ tool, json }) => entryOf(tool, json))];
  }
}

interface ListVariant extends ListReader {
  readonly kind: ListKind;
  readonly selection?: ToolSelection | undefined;
  /** The own tools that a guard answers. Lists omit an own tool that needs a guard and has none. */
  readonly guarded?: ReadonlySet<string> | undefined;
}

function dependsOnEra({ definition }: ExposedDefinition): boolean {
  return definition.forOthers !== undefined;
}

/**
 * Returns the tool with its definition for the given era. Only modern servers have definitions that depend on the era.
 */
function toolForEra(era: Era | undefined, tool: ExposedDefinition): ExposedDefinition {
  const { forOthers } = tool.definition;
  return era === 'modern' || forOthers === undefined ? tool : { ...tool, definition: forOthers };
}

function entryOf(
  { upstream, definition }: Pick<ExposedDefinition, 'upstream' | 'definition'>,
  json: Buffer,
): ListEntry {
  return { json, place: upstream.position, key: definition.key };
}

/** False for a blocked tool. Lists omit such a tool, and mcpmux rejects calls to it with the reason. */
function isOffered({ upstream, definition }: ExposedDefinition): boolean {
  return !upstream.offer.blockedTools.has(definition.key);
}

function buildSnapshot(upstreams: readonly Upstream[], nameBudget: number): CatalogSnapshot {
  return {
    tools: mergeNamedLists(upstreams, ({ lists }) => lists.tools, nameBudget, isOffered),
    prompts: mergeNamedLists(upstreams, ({ lists }) => lists.prompts, nameBudget),
    resources: nameResources(upstreams),
    upstreams,
    pagesByKey: new Map(),
  };
}
