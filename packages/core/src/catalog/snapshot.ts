import type { Upstream } from '../upstream/upstream.js';
import type { ListKind } from '../upstream/lists/list-kind.js';
import type { ListPages } from './list-pages.js';
import type { NamedList } from './named-list.js';
import type { ResourceNames } from './resource-names.js';

/** What all servers offer at one moment. Immutable: a change makes another one. */
export interface CatalogSnapshot {
  readonly tools: NamedList;
  readonly prompts: NamedList;
  readonly resources: ResourceNames;
  /** The servers that count, in the order of their registration. */
  readonly upstreams: readonly Upstream[];
  /** The lists that were asked for so far. */
  readonly pages: Map<ListKind, ListPages>;
}
