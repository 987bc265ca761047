import { createHash } from 'node:crypto';

import { isRecord } from '@mcpmux/kit';

import type { Definition } from './definition.js';

/** The members of a definition that a model or a client uses. A change of icons or `_meta` does not change the tool. */
const PINNED = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const;
/** 132 bits: whoever looks for two definitions with one hash does not find them. */
const HASH_LENGTH = 22;

/** The same for two definitions that say the same of a tool, in whatever order their members stand. */
export function definitionHash({ bytes }: Definition): string {
  const tool: unknown = JSON.parse(bytes.toString('utf8'));
  return hashOf(PINNED.map((member) => (isRecord(tool) ? tool[member] : undefined)));
}

/** The same for two JSON values that are equal but for the order of members. */
export function hashOf(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest('base64url').slice(0, HASH_LENGTH);
}

function canonical(value: unknown): string {
  // Members are taken one by one: an object with `toJSON` or `__proto__` of its own is one like any other.
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isRecord(value)) return JSON.stringify(value) ?? 'null?';
  const members = Object.keys(value)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
  return `{${members.join(',')}}`;
}
