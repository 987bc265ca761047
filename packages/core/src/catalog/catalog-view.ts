import type { Era } from '../server/dialect/era.js';
import type { ListKind } from '../server/lists/list-kind.js';
import type { Upstream } from '../server/upstream.js';
import type { ExposedDefinition } from './exposed-definition.js';
import type { ListPages } from './list-pages.js';
import type { NamedList } from './named-list.js';
import type { OwnedResource, ResourceNames } from './resource-names.js';

/** The lists of all servers at one moment. A change to a list creates another snapshot. */
export interface CatalogSnapshot {
  readonly tools: NamedList;
  readonly prompts: NamedList;
  readonly resources: ResourceNames;
  /** The servers of the snapshot, in the order of their registration. */
  readonly upstreams: readonly Upstream[];
  /** Caches the lists that clients have requested so far. Clients that see the same list have the same key. */
  readonly pagesByKey: Map<string, ListPages>;
}

/** Remembers which server mentioned a URI that is in no list. */
export interface KnownUris {
  learnOwner(uri: string, upstream: Upstream): void;
  ownerOf(uri: string): Upstream | undefined;
  /** Remembers a file or a folder of a skill, by the URI that clients see. */
  learnSkill(exposedUri: string, resource: OwnedResource): void;
  /** Returns the skill files that clients see at a URI. Each client sees at most one of them there. */
  skillsAt(exposedUri: string): readonly OwnedResource[];
  /** Returns the servers that mentioned a URI for which the predicate is true. */
  ownersWhere(matchesUri: (uri: string) => boolean): ReadonlySet<Upstream>;
}

/** The client that reads a list. In the legacy era, exposures use the session's stored name and MCP Apps support. */
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
  readonly knownUris: KnownUris;
  snapshot(): CatalogSnapshot;
  /** Returns a list in its current state. */
  list(kind: ListKind, reader?: ListReader): ListPages;
  /** Returns a reader's selection, or undefined if the reader's list has every tool with its server's definition. */
  selectionFor?(reader: ListReader): ToolSelection | undefined;
}

/** The members of a tool that a selection uses. */
export interface SelectableTool extends Pick<ExposedDefinition, 'qualifiedName' | 'exposedName'> {
  readonly upstream: Pick<Upstream, 'view'>;
  readonly definition: Pick<ExposedDefinition['definition'], 'key'>;
}

/** A tool of a server, and its entry in the list. */
export interface ToolEntry<Tool extends SelectableTool = ExposedDefinition> {
  readonly tool: Tool;
  readonly json: Buffer;
}

/** Selects the tools of a list. Clients can find the other tools by search, and can call them. */
export interface ToolSelection {
  /** Identifies the selection. Selections with the same key select the same tools of a snapshot. */
  readonly key: string;
  /** True if the list includes mcpmux's own tool with this name. */
  includesOwnTool(name: string): boolean;
  /**
   * Returns the selected entries in their original order.
   *
   * @param ownBytes the size of the own tools in the list
   */
  select<Tool extends SelectableTool>(
    entries: readonly ToolEntry<Tool>[],
    ownBytes: number,
  ): readonly ToolEntry<Tool>[];
  /** Returns how often clients have called a tool, by its qualified name. Absent if the selection ignores calls. */
  callCountOf?(tool: string): number;
  /** Returns the cache for the lists of a snapshot. When absent, the snapshot itself caches them. */
  pageCacheFor?(snapshot: CatalogSnapshot): Map<string, ListPages>;
}

/** Decides which tools a caller's list contains. */
export interface ListExposure {
  /** Returns undefined if the list has every tool with the definition of its server. */
  selectionFor(snapshot: CatalogSnapshot, reader: ListReader): ToolSelection | undefined;
}

/** The servers and tools that are visible to a principal. */
export interface Visibility {
  readonly filters: {
    /** False if everything is visible. */
    readonly hidesEntries: boolean;
    /** The own tools that guards answer for every client. */
    readonly guardedTools?: ReadonlySet<string>;
    /** Returns the own tools that guards answer for a client, by its name. Undefined if all clients have the same. */
    readonly guardedToolsFor?: ((client: string | undefined) => ReadonlySet<string>) | undefined;
    /** Changes when the visible entries may have changed. */
    readonly version: number;
  };
  /** True if the prompts and resources of a server are visible. */
  server(name: string): boolean;
  /** @param tool the tool's name on its server */
  tool(server: string, tool: string): boolean;
}
