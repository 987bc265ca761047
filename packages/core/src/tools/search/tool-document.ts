import { isRecord } from '@mcpmux/kit';
import { parsedDefinition } from '../../server/lists/definition.js';
import type { ExposedDefinition } from '../../catalog/exposed-definition.js';
import type { OwnTool } from '../../catalog/own-tool.js';
import { OWN_SERVER } from '../../catalog/own-tool.js';

/** A tool's searchable text. */
export interface ToolDocument {
  readonly server: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The names of the parameters. */
  readonly parameters: string;
  /** The descriptions and values of the parameters. */
  readonly values: string;
}

/** The maximum length of `values`, in characters. More text would outweigh the name. */
const MAX_VALUES_LENGTH = 2000;
const MAX_DEPTH = 3;

/** Creates the document for a server's tool. */
export function documentOf({ definition, upstream }: ExposedDefinition): ToolDocument {
  return { server: upstream.name, name: definition.key, ...textsOf(parsedDefinition(definition)) };
}

/** Creates the document for one of mcpmux's own tools. */
export function ownToolDocument({ name, json }: OwnTool): ToolDocument {
  return { server: OWN_SERVER, name, ...textsOf(parsedDefinition({ bytes: Buffer.from(json) })) };
}

function textsOf({ title, description, inputSchema }: Readonly<Record<string, unknown>>) {
  const names: string[] = [];
  const texts: string[] = [];
  collectTexts(inputSchema, { names, texts }, 0);
  return {
    title: stringOrEmpty(title),
    description: stringOrEmpty(description),
    parameters: names.join(' '),
    values: texts.join(' ').slice(0, MAX_VALUES_LENGTH),
  };
}

function collectTexts(schema: unknown, into: { names: string[]; texts: string[] }, depth: number): void {
  if (!isRecord(schema) || depth > MAX_DEPTH) return;
  const { properties, items, description } = schema;
  if (depth > 0 && typeof description === 'string') into.texts.push(description);
  const values: unknown = schema['enum'];
  if (Array.isArray(values)) into.texts.push(values.filter((value) => typeof value === 'string').join(' '));
  for (const [name, one] of Object.entries(isRecord(properties) ? properties : {})) {
    into.names.push(name);
    collectTexts(one, into, depth + 1);
  }
  collectTexts(items, into, depth + 1);
}

/** Returns the value if it is a string, otherwise an empty string. */
export function stringOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
