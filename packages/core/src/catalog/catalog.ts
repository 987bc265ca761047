import { MIN_NAME_BUDGET } from '@mcpmux/namespace';

import { MuxError } from '../base/errors.js';
import { LISTS, type ListKind } from '../upstream/lists/list-kind.js';
import type { Upstream } from '../upstream/upstream.js';
import { isShown, listEntry, type ExposedDefinition } from './exposed-definition.js';
import { isListed } from './is-listed.js';
import { LearnedUris, type UriMemory } from './learned-uris.js';
import { ListPages, type ListEntry } from './list-pages.js';
import { mergeNamed } from './named-list.js';
import type { CatalogView } from './catalog-view.js';
import type { OwnTool } from './own-tool.js';
import type { CatalogSnapshot } from './snapshot.js';
import { ListOrder } from './list-order.js';
import { nameResources } from './resource-names.js';
import { resourceEntry, toolEntry } from './list-entries.js';

/** How a {@link Catalog} shows what it has. */
export interface CatalogOptions {
  /** Longest name of a tool or prompt, in characters. */
  readonly nameBudget: number;
  /** A longer list is cut into pages, in bytes of JSON. */
  readonly listPageBytes: number;
}

/** What a {@link Catalog} shares with those of other scopes. */
export interface CatalogParts {
  readonly places?: ListOrder;
  /** URIs that servers spoke of outside their lists. */
  readonly learned?: UriMemory;
}

/**
 * The merged lists: mcpmux's own tools first, then what the servers have, in the order of their registration.
 *
 * Built when it is asked for, and kept until {@link invalidate}.
 */
export class Catalog implements CatalogView {
  readonly learned: UriMemory;
  private readonly places: ListOrder;
  private current: CatalogSnapshot | undefined;
  private pages = new Map<ListKind, ListPages>();

  /** @throws MuxError INVALID_CONFIG when the name budget is too small to fit any name */
  constructor(
    private readonly ownTools: readonly OwnTool[],
    private readonly options: CatalogOptions,
    private readonly upstreams: () => readonly Upstream[],
    { places = new ListOrder(upstreams), learned = new LearnedUris() }: CatalogParts = {},
  ) {
    this.places = places;
    this.learned = learned;
    const { nameBudget } = options;
    if (nameBudget >= MIN_NAME_BUDGET) return;
    throw new MuxError(
      'INVALID_CONFIG',
      `nameBudget is ${nameBudget}; it must be at least ${MIN_NAME_BUDGET}.`,
    );
  }

  snapshot(): CatalogSnapshot {
    this.current ??= merge(this.upstreams(), this.options.nameBudget);
    return this.current;
  }

  page(kind: ListKind, cursor?: string): Buffer | undefined {
    let pages = this.pages.get(kind);
    if (pages === undefined) {
      pages = new ListPages(kind, LISTS[kind].member, this.entriesOf(kind, this.snapshot()), this.pageBytes);
      this.pages.set(kind, pages);
    }
    return pages.page(cursor);
  }

  invalidate(): void {
    this.current = undefined;
    this.pages = new Map();
  }

  get pageBytes(): number {
    return this.options.listPageBytes;
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
            place: this.places.of(tool.upstream),
            key: tool.definition.key,
          })),
        ];
      case 'prompts':
        return prompts.entries.map((prompt) => ({
          json: listEntry(prompt),
          place: this.places.of(prompt.upstream),
          key: prompt.definition.key,
        }));
      case 'resources':
      case 'resourceTemplates':
        return upstreams.filter(isListed).flatMap((upstream) =>
          upstream.lists[kind].map((definition) => ({
            json: resourceEntry(definition, resources.aliasesOf(upstream)),
            place: this.places.of(upstream),
            key: definition.key,
          })),
        );
    }
  }
}

/** A tool that has to be approved first is in no list; whoever calls it is told. */
function isOffered({ upstream, definition }: ExposedDefinition): boolean {
  return upstream.pinned.blocked(definition.key) === undefined;
}

function merge(upstreams: readonly Upstream[], nameBudget: number): CatalogSnapshot {
  return {
    tools: mergeNamed(upstreams, ({ lists }) => lists.tools, nameBudget, isOffered),
    prompts: mergeNamed(upstreams, ({ lists }) => lists.prompts, nameBudget),
    resources: nameResources(upstreams),
    upstreams,
  };
}
