import type { Era } from '../server/dialect/era.js';
import type { ListKind } from '../server/lists/list-kind.js';
import type { Upstream } from '../server/upstream.js';
import type { ExposedDefinition } from './exposed-definition.js';
import type { ListPages } from './list-pages.js';
import type { NamedList } from './named-list.js';
import type { OwnedResource, ResourceNames } from './resource-names.js';

/** The lists of all servers at one moment. Immutable: a change makes another snapshot. */
export interface CatalogSnapshot {
  readonly tools: NamedList;
  readonly prompts: NamedList;
  readonly resources: ResourceNames;
  /** The servers that count, in the order of their registration. */
  readonly upstreams: readonly Upstream[];
  /** The lists that were asked for so far, by what their clients see. */
  readonly pages: Map<string, ListPages>;
}

/** Remembers whose URIs are that stand in no list. */
export interface KnownUris {
  learn(uri: string, upstream: Upstream): void;
  ownerOf(uri: string): Upstream | undefined;
  /** A file or a folder of a skill, by the URI that clients see. */
  learnSkill(seen: string, resource: OwnedResource): void;
  /** The files of skills that are seen at a URI: each client sees at most one of them there. */
  skillsAt(seen: string): readonly OwnedResource[];
  /** The servers that spoke of URIs for which this holds. */
  ownersWhere(isMeant: (uri: string) => boolean): ReadonlySet<Upstream>;
}

/** The merged lists, as one client sees them. */
export interface CatalogView {
  readonly learned: KnownUris;
  snapshot(): CatalogSnapshot;
  /**
   * One of the lists as it is now, for clients of an era.
   *
   * @param hasApps the client shows MCP Apps
   * @param client the name in a modern request, which has no other
   */
  list(kind: ListKind, era?: Era, hasApps?: boolean, client?: string): ListPages;
  /** Which tools stand in the list of an era; undefined: all of them, as their servers define them. */
  selection?(era: Era, client?: string): ToolSelection | undefined;
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

/** Selects the tools that stand in a list. The others are found by search, and can be called. */
export interface ToolSelection {
  /** Two selections with the same key select the same tools of a snapshot. */
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
  /** How often a tool was called, by its qualified name, where that matters. */
  usesOf?(tool: string): number;
  /** Where the lists of a snapshot are stored; in the snapshot itself when absent. */
  pagesOf?(snapshot: CatalogSnapshot): Map<string, ListPages>;
}

/** Decides which tools a caller has in its list. */
export interface ListExposure {
  /**
   * @param client the name in a modern request
   * @returns undefined when the list has all tools, as their servers define them
   */
  selectionOf(snapshot: CatalogSnapshot, era: Era, client?: string): ToolSelection | undefined;
}

/** The servers and tools that are visible to a principal. */
export interface Visibility {
  readonly filters: {
    /** False: everything is seen. */
    readonly hides: boolean;
    /** The own tools that guards answer. */
    readonly guarded?: ReadonlySet<string>;
    /** Changes when something else may be seen. */
    readonly version: number;
  };
  /** True if the prompts and resources of a server are visible. */
  server(name: string): boolean;
  /** @param tool as its server calls it */
  tool(server: string, tool: string): boolean;
}
