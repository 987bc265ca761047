import { MIN_NAME_BUDGET } from '@mcpmux/namespace';

import { MuxError } from '../base/errors.js';
import { LISTS, type ListKind } from '../upstream/lists/list-kind.js';
import type { Upstream } from '../upstream/upstream.js';
import { isShown, listEntry, type ExposedDefinition } from './exposed-definition.js';
import { isListed } from './is-listed.js';
import { LearnedUris } from './learned-uris.js';
import { ListPages, type ListEntry } from './list-pages.js';
import { mergeNamed } from './named-list.js';
import type { CatalogView } from './catalog-view.js';
import type { OwnTool } from './own-tool.js';
import type { CatalogSnapshot } from './snapshot.js';
import { nameResources } from './resource-names.js';
import { resourceEntry, toolEntry } from './list-entries.js';

/** How a {@link Catalog} shows what it has. */
export interface CatalogOptions {
  /** Longest name of a tool or prompt, in characters. */
  readonly nameBudget: number;
  /** A longer list is cut into pages, in bytes of JSON. */
  readonly listPageBytes: number;
}

/** The servers whose lists are merged. */
export interface CatalogServers {
  /** Without servers of its own: what is seen is what is seen in the layer around. */
  readonly isEmpty: boolean;
  /** In the order of the lists. */
  list(): readonly Upstream[];
}

/**
 * The merged lists of one layer: mcpmux's own tools first, then what the servers have, in the order of their registration.
 *
 * Built when they are asked for, and kept until a server of this layer or of one around it has changed. A layer without
 * servers shows the lists of the layer around it: with a thousand clients that all see the same, they are built once.
 */
export class Catalog implements CatalogView {
  readonly learned: LearnedUris;
  private changes = 0;
  private built: { readonly version: number; readonly snapshot: CatalogSnapshot } | undefined;
  private readonly pages = new Map<ListKind, ListPages>();

  /**
   * @param around the catalog of the layer around this one; undefined for the shared registry
   * @throws MuxError INVALID_CONFIG when the name budget is too small to fit any name
   */
  constructor(
    private readonly ownTools: readonly OwnTool[],
    private readonly options: CatalogOptions,
    private readonly servers: CatalogServers,
    private readonly around?: Catalog,
  ) {
    checkBudget(options.nameBudget);
    this.learned = new LearnedUris(servers, around?.learned);
  }

  snapshot(): CatalogSnapshot {
    const { around, servers, version } = this;
    if (around !== undefined && servers.isEmpty) return around.snapshot();
    if (this.built?.version !== version) {
      this.built = { version, snapshot: merge(servers.list(), this.options.nameBudget) };
      this.pages.clear();
    }
    return this.built.snapshot;
  }

  page(kind: ListKind, cursor?: string): Buffer | undefined {
    const { around, servers } = this;
    if (around !== undefined && servers.isEmpty) return around.page(kind, cursor);
    const snapshot = this.snapshot();
    let pages = this.pages.get(kind);
    if (pages === undefined) {
      const entries = this.entriesOf(kind, snapshot);
      pages = new ListPages(kind, LISTS[kind].member, entries, this.pageBytes);
      this.pages.set(kind, pages);
    }
    return pages.page(cursor);
  }

  /** A server of this layer has changed, come or gone. */
  invalidate(): void {
    this.changes += 1;
  }

  get pageBytes(): number {
    return this.options.listPageBytes;
  }

  /** Grows with every change of what is seen here. */
  private get version(): number {
    return this.changes + (this.around?.version ?? 0);
  }

  /**
   * What stands in a list.
   *
   * @param snapshot this catalog's, or a part of it
   * @param showsOwn whether an own tool of mcpmux is in it
   */
  entriesOf(
    kind: ListKind,
    { tools, prompts, resources, upstreams }: CatalogSnapshot,
    showsOwn: (name: string) => boolean = () => true,
  ): readonly ListEntry[] {
    switch (kind) {
      case 'tools':
        return [
          ...this.ownTools
            .filter(({ name }) => showsOwn(name))
            .map(({ name, json }) => ({ json: Buffer.from(json), place: 0, key: name })),
          ...tools.entries.filter(isShown).map((tool) => ({
            json: toolEntry(tool, resources.aliasesOf(tool.upstream)),
            place: tool.upstream.position,
            key: tool.definition.key,
          })),
        ];
      case 'prompts':
        return prompts.entries.map((prompt) => ({
          json: listEntry(prompt),
          place: prompt.upstream.position,
          key: prompt.definition.key,
        }));
      case 'resources':
      case 'resourceTemplates':
        return upstreams.filter(isListed).flatMap((upstream) =>
          upstream.lists[kind].map((definition) => ({
            json: resourceEntry(definition, resources.aliasesOf(upstream)),
            place: upstream.position,
            key: definition.key,
          })),
        );
    }
  }
}

function checkBudget(nameBudget: number): void {
  if (nameBudget >= MIN_NAME_BUDGET) return;
  const least = `it must be at least ${MIN_NAME_BUDGET}`;
  throw new MuxError('INVALID_CONFIG', `nameBudget is ${nameBudget}; ${least}.`);
}

/** A tool that has to be approved first is in no list; whoever calls it is told. */
function isOffered({ upstream, definition }: ExposedDefinition): boolean {
  return !upstream.offer.blocked.has(definition.key);
}

function merge(upstreams: readonly Upstream[], nameBudget: number): CatalogSnapshot {
  return {
    tools: mergeNamed(upstreams, ({ lists }) => lists.tools, nameBudget, isOffered),
    prompts: mergeNamed(upstreams, ({ lists }) => lists.prompts, nameBudget),
    resources: nameResources(upstreams),
    upstreams,
  };
}
