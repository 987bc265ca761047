const ZERO = 0x30;
const NINE = 0x39;
const CLOSE_BRACE = 0x7d;
/** The maximum number of digits of an id. All integers with so few digits can be represented exactly. */
const MAX_DIGITS = 15;

const VERSION_MEMBER = '"jsonrpc":"2.0"';
const CALL_MEMBER = '"method":"tools/call",';
const LEADING_ID = toBytes(`{${VERSION_MEMBER},"id":`);
const TRAILING_ID = toBytes(',"id":');
const CALL_AFTER_ID = [toBytes(`,${CALL_MEMBER}`)];
const RESULT_AFTER_ID = [toBytes(',"result":')];
const CALL_BEGINNINGS = [toBytes(`{${CALL_MEMBER}`), toBytes(`{${VERSION_MEMBER},${CALL_MEMBER}`)];
const RESULT_BEGINNINGS = [toBytes('{"result":'), toBytes(`{${VERSION_MEMBER},"result":`)];

/**
 * Returns the id of a tool call that an SDK has serialized, if the id is a number and is the second or the last member.
 * Returns undefined for any other line.
 *
 * Reads only the beginning and the end of the line. Most lines are calls and results, and parsing them would be most of
 * a relay's work. A line with invalid JSON in the middle is also treated as a call. The shared process refuses this
 * call with an error that names the id.
 */
export function plainCallId(line: Buffer): string | undefined {
  return idAt(line, CALL_AFTER_ID, CALL_BEGINNINGS);
}

/**
 * Returns the id of a tool result as an SDK serializes it, or undefined for any other line. The line must be complete.
 */
export function plainResultId(line: Buffer): string | undefined {
  return idAt(line, RESULT_AFTER_ID, RESULT_BEGINNINGS);
}

function idAt(line: Buffer, rests: readonly Uint8Array[], heads: readonly Uint8Array[]): string | undefined {
  if (matchesAt(line, 0, LEADING_ID)) {
    const start = LEADING_ID.length;
    const end = digitsEnd(line, start);
    return matchesAnyAt(line, end, rests) ? parseId(line, start, end) : undefined;
  }
  const end = line.length - 1;
  if (line[end] !== CLOSE_BRACE || !matchesAnyAt(line, 0, heads)) return undefined;
  const start = digitsStart(line, end);
  return matchesAt(line, start - TRAILING_ID.length, TRAILING_ID) ? parseId(line, start, end) : undefined;
}

function parseId(line: Buffer, start: number, end: number): string | undefined {
  const count = end - start;
  if (count === 0 || count > MAX_DIGITS || (line[start] === ZERO && count > 1)) return undefined;
  let value = 0;
  for (let at = start; at < end; at += 1) value = value * 10 + (line[at] ?? ZERO) - ZERO;
  return String(value);
}

function digitsEnd(line: Buffer, from: number): number {
  let at = from;
  while (isDigit(line[at])) at += 1;
  return at;
}

function digitsStart(line: Buffer, end: number): number {
  let at = end;
  while (isDigit(line[at - 1])) at -= 1;
  return at;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE;
}

function matchesAnyAt(line: Buffer, at: number, texts: readonly Uint8Array[]): boolean {
  for (const text of texts) if (matchesAt(line, at, text)) return true;
  return false;
}

function matchesAt(line: Buffer, at: number, text: Uint8Array): boolean {
  for (let index = 0; index < text.length; index += 1) if (line[at + index] !== text[index]) return false;
  return true;
}

function toBytes(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text));
}
