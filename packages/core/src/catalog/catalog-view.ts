import type { ListKind } from '../upstream/lists/list-kind.js';
import type { Upstream } from '../upstream/upstream.js';
import type { CatalogSnapshot } from './snapshot.js';

/** Remembers whose URIs are that stand in no list. */
export interface KnownUris {
  learn(uri: string, upstream: Upstream): void;
  ownerOf(uri: string): Upstream | undefined;
  /** The servers that spoke of URIs for which this holds. */
  ownersWhere(isMeant: (uri: string) => boolean): ReadonlySet<Upstream>;
}

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
