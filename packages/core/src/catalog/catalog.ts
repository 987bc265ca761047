import { MIN_NAME_BUDGET } from '@mcpmux/namespace';

import { MuxError } from '../errors.js';
import { LISTS, type ListKind } from '../upstream/list-kind.js';
import type { Upstream } from '../upstream/upstream.js';
import { isShown, listEntry, type ExposedDefinition } from './exposed-definition.js';
import { isListed } from './is-listed.js';
import { LearnedUris, type UriMemory } from './learned-uris.js';
import { ListPages, type ListEntry } from './list-pages.js';
import { mergeNamed, type NamedList } from './named-list.js';
import type { OwnTool } from './own-tool.js';
import { Places } from './places.js';
import { nameResources, type ResourceNames } from './resource-names.js';
import { resourceEntry, toolEntry } from './list-entries.js';

/** What all servers offer at one moment. Immutable: a change makes another one. */
export interface CatalogSnapshot {
  readonly tools: NamedList;
  readonly prompts: NamedList;
  readonly resources: ResourceNames;
  /** The servers that count, in the order of their registration. */
  readonly upstreams: readonly Upstream[];
}

/** How a {@link Catalog} shows what it has. */
export interface CatalogOptions {
  /** Longest name of a tool or prompt, in characters. */
  readonly nameBudget: number;
  /** A longer list is cut into pages, in bytes of JSON. */
  readonly listPageBytes: number;
}

/** The merged lists, and whose URIs are, as one client sees them. */
export interface CatalogView {
  /** URIs that servers spoke of outside their lists. */
  readonly learned: UriMemory;
  snapshot(): CatalogSnapshot;
  /** The result of a list request, JSON; `undefined` for a cursor that mcpmux never gave out. */
  page(kind: ListKind, cursor?: string): Buffer | undefined;
}

/**
 * The merged lists: mcpmux's own tools first, then what the servers have, in the order of their registration.
 *
 * Built when it is asked for, and kept until {@link invalidate}.
 */
export class Catalog implements CatalogView {
  readonly learned = new LearnedUris();
  private current: CatalogSnapshot | undefined;
  private pages = new Map<ListKind, ListPages>();

  /** @throws MuxError INVALID_CONFIG when the name budget is too small to fit any name */
  constructor(
    private readonly ownTools: readonly OwnTool[],
    private readonly options: CatalogOptions,
    private readonly upstreams: () => readonly Upstream[],
    private readonly places = new Places(upstreams),
  ) {
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
      pages = new ListPages(kind, LISTS[kind].member, this.entries(kind), this.options.listPageBytes);
      this.pages.set(kind, pages);
    }
    return pages.page(cursor);
  }

  invalidate(): void {
    this.current = undefined;
    this.pages = new Map();
  }

  private entries(kind: ListKind): readonly ListEntry[] {
    const { tools, prompts, resources, upstreams } = this.snapshot();
    switch (kind) {
      case 'tools':
        return [
          ...this.ownTools.map(({ name, json }) => ({ json: Buffer.from(json), place: 0, key: name })),
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
