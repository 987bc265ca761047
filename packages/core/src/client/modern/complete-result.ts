import { type Edit, type Span, valuePaths, valueSpans } from '@mcpmux/wire';
import { LIST_KINDS, LISTS } from '../../server/lists/list-kind.js';
import { prependEdit } from '../../server/link/members.js';

/** The members that every modern result must have, as JSON. */
const COMPLETE_MEMBERS = membersOfValues({ resultType: '"complete"' });
const UNCACHED_MEMBERS = membersOfValues({ ...COMPLETE_MEMBERS.values, ttlMs: '0', cacheScope: '"private"' });
type ResultMembers = typeof COMPLETE_MEMBERS;

const CACHEABLE_METHODS: ReadonlySet<string> = new Set([
  ...LIST_KINDS.map((kind) => LISTS[kind].method),
  'resources/read',
]);
const MEMBER_PATHS = valuePaths(Object.keys(UNCACHED_MEMBERS.values).map((key) => [key]));

/**
 * Returns the edits that add or overwrite the members required in every modern result, for a legacy server's result.
 *
 * @param result the span of the result, which must be an object
 */
export function completingEdits(line: Buffer, result: Span, method: string): readonly Edit[] {
  const members = membersOf(method);
  const { present, missing } = findMembers(line, result, members);
  return [
    ...present.map(({ path, span }) => ({ span, bytes: members.values[path] ?? 'null' })),
    ...(missing === '' ? [] : [prependEdit(line, result, missing)]),
  ];
}

/** Returns the required members that a result from mcpmux or a guard lacks, as JSON; empty if it lacks none. */
export function missingMembers(line: Buffer, result: Span, method: string): string {
  return findMembers(line, result, membersOf(method)).missing;
}

function membersOf(method: string): ResultMembers {
  return CACHEABLE_METHODS.has(method) ? UNCACHED_MEMBERS : COMPLETE_MEMBERS;
}

function findMembers(line: Buffer, result: Span, { values, keys, all }: ResultMembers) {
  // Most results have none of these members, and a byte search is much faster than parsing.
  if (!keys.some(({ bytes }) => line.includes(bytes, result.start))) return { present: [], missing: all };
  const present = valueSpans(line, result, MEMBER_PATHS).filter(({ path }) => path in values);
  const missing = keys.filter(({ key }) => !present.some(({ path }) => path === key));
  return { present, missing: missing.map(({ json }) => json).join(',') };
}

function membersOfValues(values: Readonly<Record<string, string>>) {
  const keys = Object.entries(values).map(([key, value]) => ({
    key,
    bytes: Buffer.from(`"${key}"`),
    json: `"${key}":${value}`,
  }));
  return { values, keys, all: keys.map(({ json }) => json).join(',') };
}
