import { integerOf } from '../json/integer.js';
import type { Span } from '../json/span.js';

/** Longest id a peer may use, in bytes of JSON text. Ids are kept for as long as their request is in flight. */
export const MAX_ID_BYTES = 1024;

/** Longest text in which an issued id is looked for, with its quotes, in bytes. */
const MAX_QUOTED = 18;
const QUOTE = 0x22;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
/** Nearly all ids that are numbers: without a point and an exponent. */
const PLAIN_INTEGER = /^(?:0|-?[1-9]\d*)$/;

/**
 * A request id as the JSON text it arrived as: `7`, `"7"`, `"a\u0062"`.
 *
 * Kept as text so that it goes back byte for byte, with its type, and so that `7` and `"7"` stay two ids.
 */
export type RawId = string & { readonly __brand: 'IdText' };

/**
 * The id at `span`, or its problem. JSON-RPC 2.0 section 4, narrowed by MCP: a string or an integer. As in JSON
 * Schema, every number without a fraction is an integer: `1.0` and `10E-1` too.
 */
export function readId(line: Buffer, span: Span): { readonly id: RawId } | { readonly problem: string } {
  if (span.end - span.start > MAX_ID_BYTES) return { problem: `id is longer than ${MAX_ID_BYTES} bytes` };
  const text = line.toString('utf8', span.start, span.end);
  if (line[span.start] === QUOTE || PLAIN_INTEGER.test(text) || integerOf(text) !== undefined)
    return { id: text as RawId };
  return { problem: `id must be a string or an integer, not ${text.slice(0, 40)}` };
}

/**
 * The same text for ids that are the same value, however they are written: `1` and `1.0`, `"a"` and `"\u0061"`. Requests
 * in flight are told apart by it, because most clients read both as one id.
 */
export function idKey(id: RawId): string {
  if (id.codePointAt(0) === QUOTE) return id.includes('\\') ? JSON.stringify(JSON.parse(id)) : id;
  return PLAIN_INTEGER.test(id) ? id : (integerOf(id) ?? id);
}

/** The id that is this text. */
export function stringId(text: string): RawId {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- JSON of a string is an id
  return JSON.stringify(text) as RawId;
}

/**
 * The integer at `span` when it is one that mcpmux itself issued as an id or a progress token, else `undefined`.
 *
 * `7.0` and `7` are the same JSON number. `"7"` is 7 as well: mcpmux issues integers only, so the text can be no other id.
 */
export function readIssuedId(line: Buffer, span: Span): number | undefined {
  let value = 0;
  for (let at = span.start; at < span.end; at += 1) {
    const digit = (line[at] as number) - 0x30;
    if (digit < 0 || digit > 9) return readUnusualInteger(line, span);
    value = value * 10 + digit;
  }
  return Number.isSafeInteger(value) ? value : undefined;
}

function readUnusualInteger(line: Buffer, span: Span): number | undefined {
  const first = line[span.start] as number;
  if (first === QUOTE) return readQuoted(line, span);
  // A value that is not a number may be large: it is not built to be refused.
  if (first !== MINUS && (first < ZERO || first > NINE)) return undefined;
  const value: unknown = JSON.parse(line.toString('utf8', span.start, span.end));
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
}

/** The integer in a text of digits: some servers answer `"7"` to the id 7. */
function readQuoted(line: Buffer, { start, end }: Span): number | undefined {
  if (end - start > MAX_QUOTED) return undefined;
  const text = line.toString('latin1', start + 1, end - 1);
  const value = PLAIN_INTEGER.test(text) ? Number(text) : undefined;
  return Number.isSafeInteger(value) ? value : undefined;
}
