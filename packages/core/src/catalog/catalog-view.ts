import type { Era } from '../server/dialect/era.js';
import type { ListKind } from '../server/lists/list-kind.js';
import type { Upstream } from '../server/upstream.js';
import type { ExposedDefinition } from './exposed-definition.js';
import type { ListPages } from './list-pages.js';
import type { NamedList } from './named-list.js';
import type { OwnedResource, ResourceNames } from './resource-names.js';

/** The lists of all servers at one moment. A change to a list invalidates the snapshot. */
export interface CatalogSnapshot {
  readonly tools: NamedList;
  readonly prompts: NamedList;
  readonly resources: ResourceNames;
  /** The snapshot's servers, in registration order. */
  readonly upstreams: readonly Upstream[];
  /** Caches the lists that clients have requested. Clients that see the same list share one key. */
  readonly pagesByKey: Map<string, ListPages>;
}

/** Remembers URIs that are in no list, with the servers that mentioned them. */
export interface KnownUris {
  learnOwner(uri: string, upstream: Upstream): void;
  ownerOf(uri: string): Upstream | undefined;
  /** Remembers a skill's file or folder by the URI that clients see. */
  learnSkill(exposedUri: string, resource: OwnedResource): void;
  /** Returns the skill files or folders that servers have at an exposed URI. Each client sees at most one of them. */
  skillsAt(exposedUri: string): readonly OwnedResource[];
  /** Returns the servers that mentioned at least one URI accepted by `matchesUri`. */
  ownersWhere(matchesUri: (uri: string) => boolean): ReadonlySet<Upstream>;
}

/** The client that reads a list. For a legacy client, the session supplies its name and MCP Apps support. */
export interface ListReader {
  /** `legacy` when absent. */
  readonly era?: Era | undefined;
  /** True if the client can show MCP Apps. */
  readonly hasApps?: boolean | undefined;
  /** The client's name, as stated in a modern request. */
  readonly client?: string | undefined;
}

/** The merged lists, as one client sees them. */
export interface CatalogView {
  readonly knownUris: KnownUris;
  snapshot(): CatalogSnapshot;
  list(kind: ListKind, reader?: ListReader): ListPages;
  /** Returns the tools selected for a reader, or undefined if its list has every tool with its full definition. */
  selectionFor?(reader: ListReader): ToolSelection | undefined;
}

/** The part of a tool that a selection depends on. */
export interface SelectableTool extends Pick<ExposedDefinition, 'qualifiedName' | 'exposedName'> {
  readonly upstream: Pick<Upstream, 'view'>;
  readonly definition: Pick<ExposedDefinition['definition'], 'key'>;
}

/** A server's tool and its list entry. */
export interface ToolEntry<Tool extends SelectableTool = ExposedDefinition> {
  readonly tool: Tool;
  readonly json: Buffer;
}

/** Selects the tools in a list. Clients can still find the other tools by search, and call them. */
export interface ToolSelection {
  /** Identifies the selection. Within one page cache, selections with the same key select the same tools. */
  readonly key: string;
  /** True if the list includes mcpmux's own tool with this name. */
  includesOwnTool(name: string): boolean;
  /**
   * Returns the selected entries in their original order.
   *
   * @param ownBytes the size of mcpmux's own tools in the list, in bytes
   */
  select<Tool extends SelectableTool>(
    entries: readonly ToolEntry<Tool>[],
    ownBytes: number,
  ): readonly ToolEntry<Tool>[];
  /** Returns how often clients have called a tool, by qualified name. Absent or 0 if call counts do not matter. */
  callCountOf?(tool: string): number;
  /** Returns the cache for a snapshot's lists. When absent, the snapshot itself caches them. */
  pageCacheFor?(snapshot: CatalogSnapshot): Map<string, ListPages>;
}

/** Decides which tools a caller's list contains. */
export interface ListExposure {
  /** Returns undefined if the list has every tool with its full definition. */
  selectionFor(snapshot: CatalogSnapshot, reader: ListReader): ToolSelection | undefined;
}

/** The servers and tools that are visible to a principal. */
export interface Visibility {
  readonly filters: {
    /** False if everything is visible. */
    readonly hidesEntries: boolean;
    /** The names of mcpmux's own tools that guards answer for every client. */
    readonly guardedTools?: ReadonlySet<string>;
    /** Returns the own tools that guards answer for this client. Undefined if they are the same for all clients. */
    readonly guardedToolsFor?: ((client: string | undefined) => ReadonlySet<string>) | undefined;
    /** A number that changes whenever the visible entries may have changed. */
    readonly version: number;
  };
  /** True if the server's prompts and resources are visible. */
  server(name: string): boolean;
  /** @param tool the tool's name on its server */
  tool(server: string, tool: string): boolean;
}
