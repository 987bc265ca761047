import type { Era } from '../server/dialect/era.js';
import type { ListKind } from '../server/lists/list-kind.js';
import type { Upstream } from '../server/upstream.js';
import type { ExposedDefinition } from './exposed-definition.js';
import type { ListPages } from './list-pages.js';
import type { NamedList } from './named-list.js';
import type { OwnedResource, ResourceNames } from './resource-names.js';

/** The lists of all servers at one moment. A snapshot is immutable, so a change creates another one. */
export interface CatalogSnapshot {
  readonly tools: NamedList;
  readonly prompts: NamedList;
  readonly resources: ResourceNames;
  /** The servers of the snapshot, in the order of their registration. */
  readonly upstreams: readonly Upstream[];
  /** The lists that clients have requested so far. Clients that see the same list share its key. */
  readonly pages: Map<string, ListPages>;
}

/** Remembers which server mentioned a URI that is in no list. */
export interface KnownUris {
  learn(uri: string, upstream: Upstream): void;
  ownerOf(uri: string): Upstream | undefined;
  /** Remembers a file or a folder of a skill, by the URI that clients see. */
  learnSkill(seen: string, resource: OwnedResource): void;
  /** Returns the skill files that clients see at a URI. Each client sees at most one of them there. */
  skillsAt(seen: string): readonly OwnedResource[];
  /** Returns the servers that mentioned a URI for which the predicate is true. */
  ownersWhere(isMeant: (uri: string) => boolean): ReadonlySet<Upstream>;
}

/** The client that reads a list. A session holds the name and the apps of its client. */
export interface ListReader {
  /** `legacy` when absent. */
  readonly era?: Era | undefined;
  /** True if the client shows MCP Apps. */
  readonly hasApps?: boolean | undefined;
  /** The client's name in a modern request. */
  readonly client?: string | undefined;
}

/** The merged lists, as one client sees them. */
export interface CatalogView {
  readonly learned: KnownUris;
  snapshot(): CatalogSnapshot;
  /** Returns a list in its current state. */
  list(kind: ListKind, reader?: ListReader): ListPages;
  /** Returns the selection of the list, or undefined if it has all tools, as their servers define them. */
  selection?(reader: ListReader): ToolSelection | undefined;
}

/** The members of a tool that a selection reads. */
export interface SelectableTool extends Pick<ExposedDefinition, 'qualifiedName' | 'exposedName'> {
  readonly upstream: Pick<Upstream, 'view'>;
  readonly definition: Pick<ExposedDefinition['definition'], 'key'>;
}

/** A tool of a server, and its entry in the list. */
export interface ToolEntry<Tool extends SelectableTool = ExposedDefinition> {
  readonly tool: Tool;
  readonly json: Buffer;
}

/** Selects the tools for a list. Clients find the other tools by search, and can call them. */
export interface ToolSelection {
  /** Identifies the selection. Selections with the same key select the same tools of a snapshot. */
  readonly key: string;
  /** True if an own tool of mcpmux is in the list. */
  includesOwnTool(name: string): boolean;
  /**
   * Selects among the entries, in their order.
   *
   * @param ownBytes the size of the own tools in the list
   */
  select<Tool extends SelectableTool>(
    entries: readonly ToolEntry<Tool>[],
    ownBytes: number,
  ): readonly ToolEntry<Tool>[];
  /** Returns the number of calls of a tool, by its qualified name, if the selection depends on it. */
  usesOf?(tool: string): number;
  /** Returns the storage for the lists of a snapshot. When absent, the snapshot itself stores them. */
  pagesOf?(snapshot: CatalogSnapshot): Map<string, ListPages>;
}

/** Decides which tools are in a caller's list. */
export interface ListExposure {
  /** Returns undefined when the list has all tools, as their servers define them. */
  selectionOf(snapshot: CatalogSnapshot, reader: ListReader): ToolSelection | undefined;
}

/** The servers and tools that are visible to a principal. */
export interface Visibility {
  readonly filters: {
    /** False if everything is visible. */
    readonly hides: boolean;
    /** The own tools that guards answer for every client. */
    readonly guarded?: ReadonlySet<string>;
    /** Returns the own tools that guards answer for a client. Undefined if they are the same for all clients. */
    readonly guardedFor?: ((client: string | undefined) => ReadonlySet<string>) | undefined;
    /** Changes when the visible entries may have changed. */
    readonly version: number;
  };
  /** True if the prompts and resources of a server are visible. */
  server(name: string): boolean;
  /** @param tool the tool's name on its server */
  tool(server: string, tool: string): boolean;
}
