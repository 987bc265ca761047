import type { ListKind } from '../upstream/lists/list-kind.js';
import type { CatalogSnapshot } from './snapshot.js';
import type { UriMemory } from './learned-uris.js';

/** What is known of URIs outside of lists. */
export type KnownUris = UriMemory;

/** The merged lists, as one client sees them. */
export interface CatalogView {
  readonly learned: KnownUris;
  snapshot(): CatalogSnapshot;
  /** The result of a list request, JSON; `undefined` for a cursor that mcpmux never gave out. */
  page(kind: ListKind, cursor?: string): Buffer | undefined;
}

/** What somebody sees of servers. */
export interface Visibility {
  readonly filters: {
    /** False: everything is seen. */
    readonly hides: boolean;
    /** Changes when something else may be seen. */
    readonly version: number;
  };
  /** What a server has beside tools. */
  server(name: string): boolean;
  /** @param tool as its server calls it */
  tool(server: string, tool: string): boolean;
}
