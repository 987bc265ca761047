import { isRecord } from '@mcpmux/kit';
import { type Schema, z } from '@mcpmux/kit/zod';
import type { Definition } from './definition.js';

/**
 * The maximum length of a path in a problem, in characters. The server chooses the keys in it, so it could be very
 * long.
 */
const MAX_PATH_LENGTH = 200;

const optionalText = z.optional(z.string());
const optionalFlag = z.optional(z.boolean());

const icon = z.object({
  src: z.string(),
  mimeType: optionalText,
  sizes: z.optional(z.array(z.string())),
  theme: z.optional(z.enum(['light', 'dark'])),
});

/** The members that all kinds of list entries share. */
const baseEntry = z.object({
  name: z.string(),
  title: optionalText,
  description: optionalText,
  icons: z.optional(z.array(icon)),
  _meta: z.optional(z.record(z.string(), z.unknown())),
});

/** A subschema. JSON Schema also allows booleans, but version 1 of the official SDK rejects them. */
const subschema = z.custom((value) => typeof value === 'object' && value !== null, 'expected an object');

const objectSchema = z.object({
  $schema: optionalText,
  type: z.literal('object'),
  properties: z.optional(z.record(z.string(), subschema)),
  required: z.optional(z.array(z.string())),
});

const toolHints = z.object({
  title: optionalText,
  readOnlyHint: optionalFlag,
  destructiveHint: optionalFlag,
  idempotentHint: optionalFlag,
  openWorldHint: optionalFlag,
});

const taskSupport = z.optional(z.enum(['required', 'optional', 'forbidden']));

const annotations = z.object({
  audience: z.optional(z.array(z.enum(['user', 'assistant']))),
  priority: z.optional(z.number().check(z.minimum(0), z.maximum(1))),
  lastModified: z.optional(z.isoDatetime({ offset: true })),
});

/** The schemas by which clients validate list entries, keyed by the list's `noun`. Clients ignore unknown members. */
const ENTRY_SCHEMAS: Readonly<Record<string, Schema>> = {
  tool: z.extend(baseEntry, {
    inputSchema: objectSchema,
    outputSchema: z.optional(objectSchema),
    annotations: z.optional(toolHints),
    execution: z.optional(z.object({ taskSupport })),
  }),
  prompt: z.extend(baseEntry, {
    arguments: z.optional(
      z.array(z.object({ name: z.string(), description: optionalText, required: optionalFlag })),
    ),
  }),
  resource: z.extend(baseEntry, {
    mimeType: optionalText,
    size: z.optional(z.number()),
    annotations: z.optional(annotations),
  }),
  'resource template': z.extend(baseEntry, { mimeType: optionalText, annotations: z.optional(annotations) }),
};

/**
 * Returns a clause that describes the defect of a list entry, or undefined if the entry is valid.
 *
 * Clients built on the official SDKs validate a list as a whole: one invalid entry makes them reject all entries,
 * including other servers' entries. Therefore mcpmux omits invalid entries.
 */
export function definitionProblem({ bytes }: Definition, noun: string): string | undefined {
  const item: unknown = JSON.parse(bytes.toString('utf8'));
  const issue = ENTRY_SCHEMAS[noun]?.safeParse(item).error?.issues[0];
  if (issue === undefined) return undefined;
  const path = issue.path.join('.').slice(0, MAX_PATH_LENGTH);
  const [schemaName, member] = issue.path;
  if (member === 'type' && issue.path.length === 2)
    return `its ${String(schemaName)} does not have the type "object"`;
  return hasPath(item, issue.path) ? `its ${path} is not valid: ${issue.message}` : `it has no ${path}`;
}

function hasPath(item: unknown, path: readonly PropertyKey[]): boolean {
  const [key, ...rest] = path;
  if (key === undefined) return true;
  if (Array.isArray(item)) return hasPath(item[Number(key)], rest);
  return isRecord(item) && Object.hasOwn(item, key) && hasPath(item[String(key)], rest);
}
