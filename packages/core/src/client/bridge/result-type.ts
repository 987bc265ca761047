import { type Edit, JsonReader, sameBytes, type Span, stringAt, valuePaths } from '@mcpmux/wire';
import { removalEdits } from '../../server/link/members.js';
import { membersOf, memberEdits } from './json-members.js';

const RESULT_PATHS = valuePaths([
  ['resultType'],
  ['ttlMs'],
  ['cacheScope'],
  ['inputRequests'],
  ['requestState'],
]);
const OPEN_BRACE = 0x7b;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const QUOTED_TYPE_KEY = Buffer.from('"resultType"');
const KEY = Buffer.from('"resultType":');
const COMPLETE_VALUE = Buffer.from('"complete"');
const COMPLETE_AS_LAST_MEMBER = Buffer.from('"resultType":"complete"}');
const CACHEABLE_METHOD = 'resources/read';
const CACHE_SCOPES: ReadonlySet<unknown> = new Set(['public', 'private']);

/** The members of a modern result that mcpmux reads. */
export interface ModernResult {
  /** `complete` if the member is absent, because some servers omit it. Undefined if its value is not a string. */
  readonly type: string | undefined;
  readonly members: ReadonlyMap<string, readonly Span[]>;
}

/**
 * Searches backwards for a `resultType` of `complete`, because SDK servers write it near the end and parsing the whole
 * result is slower. Returns the value's span, or undefined if the type may be elsewhere.
 */
export function completeTypeSpan(line: Buffer, { start, end }: Span): Span | undefined {
  const isLast = sameBytes(COMPLETE_AS_LAST_MEMBER, line, end - COMPLETE_AS_LAST_MEMBER.length, end);
  const at = isLast ? end - COMPLETE_AS_LAST_MEMBER.length : line.lastIndexOf(KEY, end - KEY.length);
  const before = line[at - 1];
  if (at <= start || (before !== COMMA && before !== OPEN_BRACE)) return undefined;
  const type = { start: at + KEY.length, end: at + KEY.length + COMPLETE_VALUE.length };
  if (isLast) return type;
  // Inside a JSON string, the quotes would be escaped, so this is a member, but possibly of a nested object.
  const isOfResult =
    sameBytes(COMPLETE_VALUE, line, type.start, type.end) && endOfObject(line, type.end) === end;
  return isOfResult ? type : undefined;
}

/** Returns the edits that remove `resultType`, whose value is at `type`, or undefined if it may occur twice. */
export function typeRemovalEdits(line: Buffer, result: Span, type: Span): readonly Edit[] | undefined {
  const isOnly = line.indexOf(QUOTED_TYPE_KEY, result.start) === type.start - KEY.length;
  return isOnly ? removalEdits(line, [type]) : undefined;
}

/**
 * Returns the end of the object whose member ends at `at`. Returns -1 if a later key with escapes may be `resultType`.
 */
function endOfObject(line: Buffer, at: number): number {
  const reader = new JsonReader(line);
  let next = reader.afterSpace(at);
  while (line[next] === COMMA) {
    const keyStart = reader.afterSpace(next + 1);
    const keyEnd = reader.string(keyStart);
    if (line.subarray(keyStart, keyEnd).includes(BACKSLASH)) return -1;
    next = reader.afterSpace(reader.value(reader.afterSpace(reader.afterSpace(keyEnd) + 1)));
  }
  return next + 1;
}

/** Reads the members of a modern result. A result that is not an object counts as complete. */
export function readModernResult(line: Buffer, result: Span): ModernResult {
  if (line[result.start] !== OPEN_BRACE) return { type: 'complete', members: new Map() };
  const members = membersOf(line, result, RESULT_PATHS);
  // If a member appears twice, most JSON parsers use the last one.
  const type = members.get('resultType')?.at(-1);
  return { type: type === undefined ? 'complete' : stringAt(line, type), members };
}

/** Returns the edits that strip a complete result of the members that legacy clients may reject. */
export function strippingEdits(line: Buffer, { members }: ModernResult, method: string): readonly Edit[] {
  const keys = method === CACHEABLE_METHOD ? ['resultType', 'ttlMs', 'cacheScope'] : ['resultType'];
  return removalEdits(
    line,
    keys.flatMap((key) => members.get(key) ?? []),
  );
}

/** Returns the edits that add missing members to a complete result if modern clients require them. */
export function repairEdits(
  line: Buffer,
  result: Span,
  { type, members }: ModernResult,
  method: string,
): readonly Edit[] {
  if (line[result.start] !== OPEN_BRACE) return [];
  const missing: Record<string, string> = {};
  if (!members.has('resultType')) missing['resultType'] = '"complete"';
  if (method === CACHEABLE_METHOD && type === 'complete') {
    if (!isTtl(line, members.get('ttlMs'))) missing['ttlMs'] = '0';
    if (!isCacheScope(line, members.get('cacheScope'))) missing['cacheScope'] = '"private"';
  }
  return Object.keys(missing).length === 0 ? [] : memberEdits(line, result, missing, RESULT_PATHS);
}

function isTtl(line: Buffer, spans: readonly Span[] = []): boolean {
  return (
    spans.length > 0 && spans.every(({ start, end }) => /^\d+$/.test(line.toString('latin1', start, end)))
  );
}

function isCacheScope(line: Buffer, spans: readonly Span[] = []): boolean {
  return spans.length > 0 && spans.every((span) => CACHE_SCOPES.has(stringAt(line, span)));
}
