import { isObject, type JsonObject } from '@mcpmux/clients';

/** A server's tool, as `tools/list` returns it. */
export interface ListedTool {
  /** The exposed name. */
  readonly name: string;
  readonly server: string;
  /** The local name. */
  readonly originalName: string;
  readonly definition: JsonObject;
}

/** The maximum length of a `search_tools` query, in characters. */
export const MAX_QUERY_LENGTH = 200;

const ORIGINAL_NAME_KEY = 'dev.mcpmux/originalName';

/**
 * Returns the servers' tools, without mcpmux's own tools.
 *
 * @param owners the exposed names of each server's tools, by server name
 */
export function listedTools(
  definitions: readonly JsonObject[],
  owners: ReadonlyMap<string, readonly string[]>,
): readonly ListedTool[] {
  const serverByTool = new Map(
    [...owners].flatMap(([server, tools]) => tools.map((tool) => [tool, server] as const)),
  );
  return definitions.flatMap((definition) => {
    const name = String(definition['name']);
    const server = serverByTool.get(name);
    if (server === undefined) return [];
    const prefix = `${server}__`;
    const metaName = isObject(definition['_meta']) ? definition['_meta'][ORIGINAL_NAME_KEY] : undefined;
    const qualifiedName = typeof metaName === 'string' ? metaName : name;
    const originalName = qualifiedName.startsWith(prefix)
      ? qualifiedName.slice(prefix.length)
      : qualifiedName;
    return [{ name, server, originalName, definition }];
  });
}

/** Formats a tool as a TypeScript-like signature, such as `search(query: string, limit?: integer)`. */
export function toolSignature({ originalName, definition }: ListedTool): string {
  const schema = isObject(definition['inputSchema']) ? definition['inputSchema'] : {};
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  const entries = Object.entries(properties);
  const orderedEntries = [
    ...entries.filter(([key]) => required.includes(key)),
    ...entries.filter(([key]) => !required.includes(key)),
  ];
  const parameters = orderedEntries.map(
    ([key, type]) => `${key}${required.includes(key) ? '' : '?'}: ${typeText(type)}`,
  );
  return `${originalName}(${parameters.join(', ')})`;
}

/** Returns all lines of a description, or only its first sentence if `isFull` is false. */
export function descriptionLines(description: string, isFull = false): readonly string[] {
  const lines = description.trim().split('\n');
  const [first = ''] = lines;
  return isFull ? lines : [/^.*?[.!?](?=\s|$)/.exec(first)?.[0] ?? first];
}

function typeText(schema: unknown): string {
  if (!isObject(schema)) return 'any';
  const { type, items } = schema;
  const values: unknown = schema['enum'];
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (type === 'array') return `${typeText(items)}[]`;
  if (Array.isArray(type)) return type.join(' | ');
  return typeof type === 'string' ? type : 'any';
}
