import { readPage, type Definition } from '../server/lists/definition.js';
import { LISTS, type ListKind } from '../server/lists/list-kind.js';

/** The entry of a list that a server would give as this object. */
export function definitionOf(kind: ListKind, entry: object): Definition {
  const line = Buffer.from(JSON.stringify({ [LISTS[kind].member]: [entry] }));
  const [item] = readPage(line, { start: 0, end: line.length }, LISTS[kind])?.items ?? [];
  if (item === undefined) throw new Error(`no entry of ${kind}: ${JSON.stringify(entry)}`);
  return item;
}

/** Resources with these URIs. */
export function resourcesAt(...uris: readonly string[]): readonly Definition[] {
  return uris.map((uri) => definitionOf('resources', { uri, name: 'r' }));
}

/** Templates of resources. */
export function templatesOf(...templates: readonly string[]): readonly Definition[] {
  return templates.map((uriTemplate) => definitionOf('resourceTemplates', { uriTemplate, name: 't' }));
}

/** Prompts with these names. */
export function promptsNamed(...names: readonly string[]): readonly Definition[] {
  return names.map((name) => definitionOf('prompts', { name }));
}
