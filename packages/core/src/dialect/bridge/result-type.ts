import { type Edit, type Span, stringAt, valuePaths } from '@mcpmux/wire';
import { withoutMembers } from '../modern/members.js';
import { membersOf, withMembers } from './json-members.js';

const PATHS = valuePaths([['resultType'], ['ttlMs'], ['cacheScope'], ['inputRequests'], ['requestState']]);
const OPEN_BRACE = 0x7b;
const CACHED = 'resources/read';
const SCOPES: ReadonlySet<unknown> = new Set(['public', 'private']);

/** The members of a result of the modern era that mcpmux reads. */
export interface ModernResult {
  /** `complete` when absent: servers forget it. Undefined for what is no text. */
  readonly type: string | undefined;
  readonly members: ReadonlyMap<string, readonly Span[]>;
}

/** Reads a result that stands at `result`. */
export function readModernResult(line: Buffer, result: Span): ModernResult {
  if (line[result.start] !== OPEN_BRACE) return { type: 'complete', members: new Map() };
  const members = membersOf(line, result, PATHS);
  const [type] = members.get('resultType') ?? [];
  return { type: type === undefined ? 'complete' : stringAt(line, type), members };
}

/** The edits after which a complete result has nothing that legacy clients stumble over. */
export function strippedResult(line: Buffer, { members }: ModernResult, method: string): readonly Edit[] {
  const keys = method === CACHED ? ['resultType', 'ttlMs', 'cacheScope'] : ['resultType'];
  return withoutMembers(
    line,
    keys.flatMap((key) => members.get(key) ?? []),
  );
}

/** The edits after which a complete result has all that modern clients insist on. */
export function repairedResult(
  line: Buffer,
  result: Span,
  { type, members }: ModernResult,
  method: string,
): readonly Edit[] {
  if (line[result.start] !== OPEN_BRACE) return [];
  const missing: Record<string, string> = {};
  if (!members.has('resultType')) missing['resultType'] = '"complete"';
  if (method === CACHED && type === 'complete') {
    if (!isTime(line, members.get('ttlMs'))) missing['ttlMs'] = '0';
    if (!isScope(line, members.get('cacheScope'))) missing['cacheScope'] = '"private"';
  }
  return Object.keys(missing).length === 0 ? [] : withMembers(line, result, missing, PATHS);
}

function isTime(line: Buffer, spans: readonly Span[] = []): boolean {
  return (
    spans.length > 0 && spans.every(({ start, end }) => /^\d+$/.test(line.toString('latin1', start, end)))
  );
}

function isScope(line: Buffer, spans: readonly Span[] = []): boolean {
  return spans.length > 0 && spans.every((span) => SCOPES.has(stringAt(line, span)));
}
