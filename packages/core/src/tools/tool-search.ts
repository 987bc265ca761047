import MiniSearch from 'minisearch';

import type { CatalogSnapshot } from '../catalog/catalog-view.js';
import type { ExposedDefinition } from '../catalog/exposed-definition.js';
import { toolEntry } from '../catalog/list-entries.js';
import { isRecord } from '../base/is-record.js';

/** How much of each tool that was found is shown. */
export type SearchDetail = 'name' | 'description' | 'definition';

/** The query and its options. */
export interface ToolQuery {
  readonly query: string;
  readonly detail: SearchDetail;
  readonly limit: number;
  /** Only the tools of this server. */
  readonly server?: string | undefined;
}

interface ToolDocument {
  readonly id: number;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly parameters: string;
}

/** Made on the first search, and anew when the tools have changed. */
const indexes = new WeakMap<CatalogSnapshot, MiniSearch<ToolDocument>>();

/** Finds tools by words (BM25), the best first. JSON text: `{"tools":[…],"total":n}`. */
export function toolsFound(snapshot: CatalogSnapshot, { query, detail, limit, server }: ToolQuery): string {
  const { entries } = snapshot.tools;
  const found = indexOf(snapshot)
    .search(query)
    .map(({ id }) => entries[Number(id)])
    .filter((tool) => tool !== undefined)
    .filter(({ upstream }) => server === undefined || upstream.name === server);
  const shown = found.slice(0, limit).map((tool) => shownAs(tool, detail, snapshot));
  return `{"tools":[${shown.join(',')}],"total":${found.length}}`;
}

function indexOf(snapshot: CatalogSnapshot): MiniSearch<ToolDocument> {
  const known = indexes.get(snapshot);
  if (known !== undefined) return known;
  const index = new MiniSearch<ToolDocument>({
    fields: ['name', 'title', 'description', 'parameters'],
    tokenize: words,
    searchOptions: { boost: { name: 4, title: 3 }, prefix: true, fuzzy: fuzziness, tokenize: words },
  });
  index.addAll(snapshot.tools.entries.map(documentOf));
  indexes.set(snapshot, index);
  return index;
}

/** Words of a name as well: `createIssue` and `create_issue` are both found by "issue". */
function words(text: string): string[] {
  return text
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** Short words have too many neighbours. */
function fuzziness(word: string): number | false {
  return word.length > 4 ? 0.2 : false;
}

function documentOf({ definition, qualifiedName }: ExposedDefinition, id: number): ToolDocument {
  const { title, description, inputSchema } = parsed(definition);
  const properties = isRecord(inputSchema) ? inputSchema['properties'] : undefined;
  return {
    id,
    name: qualifiedName,
    title: textOf(title),
    description: textOf(description),
    parameters: isRecord(properties) ? Object.keys(properties).join(' ') : '',
  };
}

function shownAs(tool: ExposedDefinition, detail: SearchDetail, { resources }: CatalogSnapshot): string {
  const { definition, exposedName: name, upstream } = tool;
  switch (detail) {
    case 'definition':
      return toolEntry(tool, resources.aliasesOf(upstream)).toString('utf8');
    case 'name':
      return JSON.stringify({ name });
    case 'description':
      return JSON.stringify({ name, description: textOf(parsed(definition)['description']) });
  }
}

function parsed({ bytes }: ExposedDefinition['definition']): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(bytes.toString('utf8'));
  return isRecord(value) ? value : {};
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
