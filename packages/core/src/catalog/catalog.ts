import type { Era } from '../server/dialect/era.js';
import type { Layer } from '../server/config/layer.js';
import { LISTS, type ListKind } from '../server/lists/list-kind.js';
import type { Upstream } from '../server/upstream.js';
import { isListed, isShown, listEntry, type ExposedDefinition } from './exposed-definition.js';
import { LearnedUris } from './learned-uris.js';
import { ListPages, type ListEntry } from './list-pages.js';
import { mergeNamed } from './named-list.js';
import type { CatalogSnapshot, CatalogView, ToolSelection } from './catalog-view.js';
import { needsGuard, type OwnTool } from './own-tool.js';
import { nameResources } from './resource-names.js';
import { resourceEntry, toolEntry } from './list-entries.js';

const NONE: ReadonlySet<string> = new Set();

/** How a {@link Catalog} shows what it has. */
export interface CatalogOptions {
  /** Longest name of a tool or prompt, in characters. */
  readonly nameBudget: number;
  /** A longer list is cut into pages, in bytes of JSON. */
  readonly listPageBytes: number;
}

/**
 * The merged lists of one layer: mcpmux's own tools first, then what the servers have, in the order of their registration.
 *
 * Built when they are asked for, and kept until a server of this layer or of one around it has changed. A layer without
 * servers shows the lists of the layer around it: with a thousand clients that all see the same, they are built once.
 */
export class Catalog implements CatalogView {
  readonly learned: LearnedUris;
  /** Holds until this layer changes, or the snapshot of the layer around it is another one. */
  private built:
    | { readonly around: CatalogSnapshot | undefined; readonly snapshot: CatalogSnapshot }
    | undefined;

  /** @param around the catalog of the layer around this one; undefined for the shared registry */
  /** True if a tool of a snapshot has another definition in the other era. */
  private readonly twoForms = new WeakMap<CatalogSnapshot, boolean>();

  constructor(
    private readonly ownTools: readonly OwnTool[],
    private readonly options: CatalogOptions,
    private readonly layer: Pick<Layer<Upstream>, 'isEmpty' | 'list'>,
    private readonly around?: Catalog,
  ) {
    this.learned = new LearnedUris(layer, around?.learned);
  }

  snapshot(): CatalogSnapshot {
    const around = this.around?.snapshot();
    if (this.built === undefined || this.built.around !== around) {
      const { layer, options } = this;
      const snapshot = around && layer.isEmpty ? around : merge(layer.list(), options.nameBudget);
      this.built = { around, snapshot };
    }
    return this.built.snapshot;
  }

  list(kind: ListKind, era?: Era, hasApps?: boolean): ListPages {
    return this.listOf(this.snapshot(), { kind, era, hasApps });
  }

  /** Found out once for each snapshot: a list may have thousands of tools. */
  private differsByEra(snapshot: CatalogSnapshot): boolean {
    const known = this.twoForms.get(snapshot) ?? snapshot.tools.entries.some(hasTwoForms);
    this.twoForms.set(snapshot, known);
    return known;
  }

  /**
   * One of the lists of a snapshot.
   *
   * @param snapshot this catalog's, or a part of it
   * @param showsOwn whether an own tool of mcpmux is in that part
   */
  listOf(
    snapshot: CatalogSnapshot,
    { kind, era = 'legacy', selection, hasApps, guarded = NONE }: ShownList,
    showsOwn: (name: string) => boolean = () => true,
  ): ListPages {
    // Clients of both eras share a list unless it holds a definition that differs.
    const form = kind === 'tools' && this.differsByEra(snapshot) ? era : 'legacy';
    const whole = form === 'legacy' ? kind : `${kind} ${form}`;
    const apps = hasApps === true && kind === 'tools' && this.hasOwnApps;
    const key = [whole, selection?.key, ...guarded, apps ? ' apps' : undefined].join(' ');
    const known = selection?.pagesOf?.(snapshot) ?? snapshot.pages;
    let pages = known.get(key);
    if (pages === undefined) {
      const list = { kind, era: form, selection, hasApps: apps, guarded };
      const entries = this.entriesOf(list, snapshot, showsOwn);
      pages = new ListPages(kind, LISTS[kind].member, entries, this.options.listPageBytes);
      known.set(key, pages);
    }
    return pages;
  }

  private get hasOwnApps(): boolean {
    return this.ownTools.some(({ appJson }) => appJson !== undefined);
  }

  /** A server of this layer has changed, come or gone. */
  invalidate(): void {
    this.built = undefined;
  }

  private entriesOf(
    list: ShownList,
    snapshot: CatalogSnapshot,
    showsOwn: (name: string) => boolean,
  ): readonly ListEntry[] {
    const { prompts, resources, upstreams } = snapshot;
    const { kind } = list;
    switch (kind) {
      case 'tools':
        return this.toolsOf(list, snapshot, showsOwn);
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
    { era, selection, hasApps, guarded = NONE }: ShownList,
    { tools, resources }: CatalogSnapshot,
    showsOwn: (name: string) => boolean,
  ): readonly ListEntry[] {
    const own = this.ownTools
      .filter(({ name }) => showsOwn(name) && selection?.includesOwnTool(name) !== false)
      .filter(({ name }) => guarded.has(name) || !needsGuard(name))
      .map(({ name, json, appJson = json }) => ({
        json: Buffer.from(hasApps === true ? appJson : json),
        place: 0,
        key: name,
      }));
    const all = tools.entries
      .filter(isShown)
      .map((tool) => ({ tool, json: toolEntry(formFor(era, tool), resources.aliasesOf(tool.upstream)) }));
    const ownBytes = own.reduce((sum, { json }) => sum + json.length, 0);
    const selected = selection?.select(all, ownBytes) ?? all;
    return [...own, ...selected.map(({ tool, json }) => entryOf(tool, json))];
  }
}

/** A list, the era of the clients that see it, and which tools it has. */
interface ShownList {
  readonly kind: ListKind;
  readonly era?: Era | undefined;
  readonly selection?: ToolSelection | undefined;
  /** The clients show MCP Apps. */
  readonly hasApps?: boolean | undefined;
  /** The own tools that guards answer. */
  readonly guarded?: ReadonlySet<string> | undefined;
}

function hasTwoForms({ definition }: ExposedDefinition): boolean {
  return definition.forOthers !== undefined;
}

/** Definitions that differ are those of servers of the modern era. */
function formFor(era: Era | undefined, tool: ExposedDefinition): ExposedDefinition {
  const { forOthers } = tool.definition;
  return era === 'modern' || forOthers === undefined ? tool : { ...tool, definition: forOthers };
}

function entryOf(
  { upstream, definition }: Pick<ExposedDefinition, 'upstream' | 'definition'>,
  json: Buffer,
): ListEntry {
  return { json, place: upstream.position, key: definition.key };
}

/** A tool that needs approval is in no list; a call of the tool is answered with the reason. */
function isOffered({ upstream, definition }: ExposedDefinition): boolean {
  return !upstream.offer.blocked.has(definition.key);
}

function merge(upstreams: readonly Upstream[], nameBudget: number): CatalogSnapshot {
  return {
    tools: mergeNamed(upstreams, ({ lists }) => lists.tools, nameBudget, isOffered),
    prompts: mergeNamed(upstreams, ({ lists }) => lists.prompts, nameBudget),
    resources: nameResources(upstreams),
    upstreams,
    pages: new Map(),
  };
}
