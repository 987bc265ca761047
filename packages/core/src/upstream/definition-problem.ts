import * as z from 'zod';

import { isRecord } from '../wire/is-record.js';
import type { Definition } from './definition.js';

/** Most that is said of the path to what is wrong, in characters: its keys are the server's. */
const MAX_PATH_LENGTH = 200;

const text = z.string().optional();
const flag = z.boolean().optional();

const icon = z.object({
  src: z.string(),
  mimeType: text,
  sizes: z.array(z.string()).optional(),
  theme: z.enum(['light', 'dark']).optional(),
});

/** What every kind of entry has. */
const base = z.object({
  name: z.string(),
  title: text,
  description: text,
  icons: z.array(icon).optional(),
  _meta: z.record(z.string(), z.unknown()).optional(),
});

/** A subschema: `true`, which JSON Schema allows, is refused by version 1 of the SDK. */
const subschema = z.custom((value) => typeof value === 'object' && value !== null, 'expected an object');

const schema = z.object({
  $schema: text,
  type: z.literal('object'),
  properties: z.record(z.string(), subschema).optional(),
  required: z.array(z.string()).optional(),
});

const hints = z.object({
  title: text,
  readOnlyHint: flag,
  destructiveHint: flag,
  idempotentHint: flag,
  openWorldHint: flag,
});

const taskSupport = z.enum(['required', 'optional', 'forbidden']).optional();

/** Who a resource is for, and how much it matters. */
const annotations = z.object({
  audience: z.array(z.enum(['user', 'assistant'])).optional(),
  priority: z.number().min(0).max(1).optional(),
  lastModified: z.iso.datetime({ offset: true }).optional(),
});

/** What clients insist on, by the `noun` of a list. Members that they do not know are no concern of theirs. */
const ENTRIES: Readonly<Record<string, z.ZodType>> = {
  tool: base.extend({
    inputSchema: schema,
    outputSchema: schema.optional(),
    annotations: hints.optional(),
    execution: z.object({ taskSupport }).optional(),
  }),
  prompt: base.extend({
    arguments: z.array(z.object({ name: z.string(), description: text, required: flag })).optional(),
  }),
  resource: base.extend({
    mimeType: text,
    size: z.number().optional(),
    annotations: annotations.optional(),
  }),
  'resource template': base.extend({ mimeType: text, annotations: annotations.optional() }),
};

/**
 * What is wrong with an entry of a list, in half a sentence; `undefined` when nothing is.
 *
 * Clients built on the official SDKs check a list as a whole: one such entry makes them refuse all others, those of
 * other servers too. So it is taken out alone.
 */
export function definitionProblem({ bytes }: Definition, noun: string): string | undefined {
  const item: unknown = JSON.parse(bytes.toString('utf8'));
  const issue = ENTRIES[noun]?.safeParse(item).error?.issues[0];
  if (issue === undefined) return undefined;
  const path = issue.path.join('.').slice(0, MAX_PATH_LENGTH);
  const [schemaName, member] = issue.path;
  if (member === 'type' && issue.path.length === 2)
    return `its ${String(schemaName)} does not have the type "object"`;
  return hasAt(item, issue.path) ? `its ${path} is not valid: ${issue.message}` : `it has no ${path}`;
}

function hasAt(item: unknown, path: readonly PropertyKey[]): boolean {
  const [key, ...rest] = path;
  if (key === undefined) return true;
  if (Array.isArray(item)) return hasAt(item[Number(key)], rest);
  return isRecord(item) && Object.hasOwn(item, key) && hasAt(item[String(key)], rest);
}
