import { canonicalInteger } from '../json/integer.js';
import type { Span } from '../json/span.js';

/** Maximum length of a peer's id, in bytes of JSON text. An id is stored while its request is in flight. */
export const MAX_ID_BYTES = 1024;

/** The maximum length, in bytes and including quotes, of a string that may contain an id issued by mcpmux. */
const MAX_QUOTED_BYTES = 18;
const QUOTE = 0x22;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
/** Matches nearly all numeric ids, which have no decimal point and no exponent. */
const PLAIN_INTEGER = /^(?:0|-?[1-9]\d*)$/;

/**
 * A request id as its original JSON text, such as `7`, `"7"` or `"a\u0062"`.
 *
 * The text preserves every byte and the type, so `7` and `"7"` remain different ids.
 */
export type RawId = string & { readonly __brand: 'IdText' };

/**
 * Returns the id at `span`, or the reason why it is invalid. JSON-RPC 2.0 section 4, as restricted by MCP, allows a
 * string or an integer. As in JSON Schema, every number without a fraction is an integer, including `1.0` and `10E-1`.
 */
export function readId(line: Buffer, span: Span): { readonly id: RawId } | { readonly problem: string } {
  if (span.end - span.start > MAX_ID_BYTES) return { problem: `id is longer than ${MAX_ID_BYTES} bytes` };
  const text = line.toString('utf8', span.start, span.end);
  if (line[span.start] === QUOTE || PLAIN_INTEGER.test(text) || canonicalInteger(text) !== undefined)
    return { id: text as RawId };
  return { problem: `id must be a string or an integer, not ${text.slice(0, 40)}` };
}

/**
 * Returns the same text for ids of equal value in any notation, such as `1` and `1.0`, or `"a"` and `"\u0061"`.
 * Requests in flight are identified by this text, because most clients treat such ids as equal.
 */
export function idKey(id: RawId): string {
  if (id.codePointAt(0) === QUOTE) return id.includes('\\') ? JSON.stringify(JSON.parse(id)) : id;
  return PLAIN_INTEGER.test(id) ? id : (canonicalInteger(id) ?? id);
}

/** Returns the id for a string. */
export function stringId(text: string): RawId {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- JSON of a string is an id
  return JSON.stringify(text) as RawId;
}

/**
 * Returns the integer at `span` if mcpmux may have issued it as an id or a progress token, otherwise `undefined`.
 *
 * `7.0` equals `7`. `"7"` is also accepted as 7, because mcpmux issues only integers, so it cannot be another id.
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
  if (first === QUOTE) return readQuotedInteger(line, span);
  // Any other value may be large, so it is rejected without being parsed.
  if (first !== MINUS && (first < ZERO || first > NINE)) return undefined;
  const value: unknown = JSON.parse(line.toString('utf8', span.start, span.end));
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
}

/** Returns the integer in a string of digits, because some servers respond to id 7 with `"7"`. */
function readQuotedInteger(line: Buffer, { start, end }: Span): number | undefined {
  if (end - start > MAX_QUOTED_BYTES) return undefined;
  const text = line.toString('latin1', start + 1, end - 1);
  const value = PLAIN_INTEGER.test(text) ? Number(text) : undefined;
  return Number.isSafeInteger(value) ? value : undefined;
}
