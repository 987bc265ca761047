import {
  type Edit,
  EACH,
  inOnePiece,
  type OutgoingLine,
  readMessage,
  type Span,
  splice,
  valuePaths,
  valueSpans,
} from '@mcpmux/wire';
import { LIST_KINDS, LISTS } from '../../upstream/lists/list-kind.js';
import { firstMembers, withoutMembers } from './members.js';

/** Members that each result has, and those that say how long a result may be cached, as JSON. */
const COMPLETE = membersOfValues({ resultType: '"complete"' });
const UNCACHED = membersOfValues({ ...COMPLETE.values, ttlMs: '0', cacheScope: '"private"' });
type Members = typeof COMPLETE;

const CACHEABLE: ReadonlySet<string> = new Set([
  ...LIST_KINDS.map((kind) => LISTS[kind].method),
  'resources/read',
]);
const LISTED: ReadonlySet<string> = new Set(LIST_KINDS.map((kind) => LISTS[kind].method));
const PATHS = valuePaths(Object.keys(UNCACHED.values).map((key) => [key]));
const EXECUTION = valuePaths([['tools', EACH, 'execution']]);
const NEWLINE = 1;

/** Pages of lists as clients of the modern era get them, by those that all clients share. */
const pages = new WeakMap<Buffer, Buffer>();

/**
 * The edits that give a result of a legacy server what each result of the modern era has.
 *
 * @param result where the result stands, an object
 */
export function completed(line: Buffer, result: Span, method: string): readonly Edit[] {
  const members = membersOf(method);
  const { found, missing } = lookUp(line, result, members);
  return [
    ...found.map(({ path, span }) => ({ span, bytes: members.values[path] ?? 'null' })),
    ...(missing === '' ? [] : [firstMembers(line, result, missing)]),
  ];
}

/** An answer of mcpmux or of a guard with what it still lacks. What it says of itself stays. */
export function completedAnswer(line: OutgoingLine, method: string): OutgoingLine {
  if (LISTED.has(method) && Array.isArray(line)) {
    const [head, page, end, ...others] = line as readonly Buffer[];
    if (head && page && end && others.length === 0) return [head, completedPage(page, method), end];
  }
  const whole = inOnePiece(line);
  const text = whole.subarray(0, whole.length - NEWLINE);
  const message = readMessage(text, []);
  if (message.kind !== 'response' || message.result === undefined) return whole;
  const { missing } = lookUp(text, message.result, membersOf(method));
  return missing === '' ? whole : splice(text, [firstMembers(text, message.result, missing)]);
}

function completedPage(page: Buffer, method: string): Buffer {
  const known = pages.get(page);
  if (known !== undefined) return known;
  const all = { start: 0, end: page.length };
  const executions = valueSpans(page, all, EXECUTION).map(({ span }) => span);
  const { missing } = lookUp(page, all, membersOf(method));
  const edits = [firstMembers(page, all, missing), ...withoutMembers(page, executions)];
  const made = splice(page, edits).subarray(0, -NEWLINE);
  pages.set(page, made);
  return made;
}

function membersOf(method: string): Members {
  return CACHEABLE.has(method) ? UNCACHED : COMPLETE;
}

function lookUp(line: Buffer, result: Span, { values, keys, all }: Members) {
  // A search for a few bytes is many times faster than a walk, and most results have none of these.
  if (!keys.some(({ bytes }) => line.includes(bytes, result.start))) return { found: [], missing: all };
  const found = valueSpans(line, result, PATHS).filter(({ path }) => path in values);
  const missing = keys.filter(({ key }) => !found.some(({ path }) => path === key));
  return { found, missing: missing.map(({ json }) => json).join(',') };
}

function membersOfValues(values: Readonly<Record<string, string>>) {
  const keys = Object.entries(values).map(([key, value]) => ({
    key,
    bytes: Buffer.from(`"${key}"`),
    json: `"${key}":${value}`,
  }));
  return { values, keys, all: keys.map(({ json }) => json).join(',') };
}
