import type { CatalogSnapshot } from '../../catalog/catalog-view.js';
import type { ExposedDefinition } from '../../catalog/exposed-definition.js';
import { toolEntry } from '../../catalog/list-entries.js';
import type { OwnTool } from '../../catalog/own-tool.js';
import { parsedDefinition } from '../../server/lists/definition.js';
import { documentOf, ownToolDocument, stringOrEmpty } from './tool-document.js';
import { ToolIndex } from './tool-index.js';

/** How much of each tool the result contains. */
export type SearchDetail = 'name' | 'description' | 'definition';

/** A query and its options. */
export interface ToolQuery {
  readonly query: string;
  readonly detail: SearchDetail;
  readonly limit: number;
  /** Restricts the search to the tools of this server. */
  readonly server?: string | undefined;
  /** mcpmux's own tools to include in the search. */
  readonly ownTools?: readonly OwnTool[];
  /** The servers whose tools are not known yet. */
  readonly startingNames?: readonly string[];
}

/** A tool search's result. */
export interface FoundTools {
  /** `{"tools":[…],"total":n}`, plus `starting` if servers are starting. */
  readonly json: string;
  /** The names under which clients see the servers' tools in the result. */
  readonly names: readonly string[];
}

/** Each snapshot's search indexes. An index is built on the first search after the tools have changed. */
const indexes = new WeakMap<CatalogSnapshot, Map<string, ToolIndex>>();

type Hit = ExposedDefinition | OwnTool;

/** Finds tools by keywords (BM25), best first. */
export function findTools(
  snapshot: CatalogSnapshot,
  { query, detail, limit, server, ownTools = [], startingNames = [] }: ToolQuery,
): FoundTools {
  const hits: readonly Hit[] = [...snapshot.tools.entries, ...ownTools];
  const isFromServer = (id: number): boolean => {
    const hit = hits[id];
    return server === undefined || (hit !== undefined && 'upstream' in hit && hit.upstream.name === server);
  };
  const { documents, total } = indexOf(snapshot, ownTools).search(query, limit, isFromServer);
  const foundHits = documents.map((id) => hits[id]).filter((hit) => hit !== undefined);
  const texts = foundHits.map((hit) => formatHit(hit, detail, snapshot));
  return {
    json: `{"tools":[${texts.join(',')}],"total":${total}${startingMember(startingNames)}}`,
    names: foundHits.flatMap((hit) => ('upstream' in hit ? [hit.exposedName] : [])),
  };
}

/** Returns the `starting` member, from which a model can conclude that a later search may find more. */
function startingMember(servers: readonly string[]): string {
  return servers.length === 0 ? '' : `,"starting":${JSON.stringify(servers)}`;
}

/** Returns the index for a snapshot and a set of own tools. It is cached, because few different sets occur. */
function indexOf(snapshot: CatalogSnapshot, ownTools: readonly OwnTool[]): ToolIndex {
  const cached = indexes.get(snapshot) ?? new Map<string, ToolIndex>();
  indexes.set(snapshot, cached);
  const key = ownTools.map(({ name }) => name).join(' ');
  const index = cached.get(key) ?? newIndex(snapshot, ownTools);
  cached.set(key, index);
  return index;
}

function newIndex({ tools }: CatalogSnapshot, ownTools: readonly OwnTool[]): ToolIndex {
  const { entries } = tools;
  return new ToolIndex([...entries.map(documentOf), ...ownTools.map(ownToolDocument)]);
}

function formatHit(hit: Hit, detail: SearchDetail, { resources }: CatalogSnapshot): string {
  const isOwn = !('upstream' in hit);
  const name = isOwn ? hit.name : hit.exposedName;
  switch (detail) {
    case 'definition':
      return isOwn ? hit.json : toolEntry(hit, resources.aliasesOf(hit.upstream)).toString('utf8');
    case 'name':
      return JSON.stringify({ name });
    case 'description': {
      const { description } = parsedDefinition(isOwn ? { bytes: Buffer.from(hit.json) } : hit.definition);
      return JSON.stringify({ name, description: stringOrEmpty(description) });
    }
  }
}
