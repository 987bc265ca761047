import { createHash } from 'node:crypto';

import { isRecord } from '@mcpmux/kit';

import type { Definition } from './definition.js';

/** The members of a definition that a model or a client uses. A change of icons or `_meta` does not change the tool. */
const PINNED = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const;
/** 132 bits, so that an attacker cannot find two definitions with the same hash. */
const HASH_LENGTH = 22;

/** Returns the hash of a tool's definition. The order of members does not change the hash. */
export function definitionHash({ bytes }: Definition): string {
  const tool: unknown = JSON.parse(bytes.toString('utf8'));
  return hashOf(PINNED.map((member) => (isRecord(tool) ? tool[member] : undefined)));
}

/** Returns the hash of a JSON value. The order of members does not change the hash. */
export function hashOf(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest('base64url').slice(0, HASH_LENGTH);
}

function canonical(value: unknown): string {
  // Members are hashed one by one, so an object with its own `toJSON` or `__proto__` is treated as any other object.
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isRecord(value)) return JSON.stringify(value) ?? 'null?';
  const members = Object.keys(value)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
  return `{${members.join(',')}}`;
}
