const ZERO = 0x30;
const NINE = 0x39;
const CLOSE = 0x7d;
/** The largest number of digits with which an id is exact as a number. */
const MAX_DIGITS = 15;

const VERSION = '"jsonrpc":"2.0"';
const CALL = '"method":"tools/call",';
const ID_FIRST = bytes(`{${VERSION},"id":`);
const ID_LAST = bytes(',"id":');
const REST_OF_CALL = [bytes(`,${CALL}`)];
const REST_OF_RESULT = [bytes(',"result":')];
const CALL_WITHOUT_ID = [bytes(`{${CALL}`), bytes(`{${VERSION},${CALL}`)];
const RESULT_WITHOUT_ID = [bytes('{"result":'), bytes(`{${VERSION},"result":`)];

/**
 * Returns the id of a tool call in the form that SDK serializers write. The id is a number, and is the second member or
 * the last one. Undefined for every other line.
 *
 * Reads only the beginning and the end of the line. Most lines are calls and results, and parsing whole lines would be
 * most of a relay's work. A line with invalid JSON in the middle is also treated as a call. The shared process refuses
 * such a call, and its error names the id.
 */
export function idOfPlainCall(line: Buffer): string | undefined {
  return idAt(line, REST_OF_CALL, CALL_WITHOUT_ID);
}

/** Returns the id of a tool result in the same form. The line must be complete. */
export function idOfPlainResult(line: Buffer): string | undefined {
  return idAt(line, REST_OF_RESULT, RESULT_WITHOUT_ID);
}

function idAt(line: Buffer, behind: readonly Uint8Array[], heads: readonly Uint8Array[]): string | undefined {
  if (isAt(line, 0, ID_FIRST)) {
    const start = ID_FIRST.length;
    const end = endOfDigits(line, start);
    return isAnyAt(line, end, behind) ? idBetween(line, start, end) : undefined;
  }
  const end = line.length - 1;
  if (line[end] !== CLOSE || !isAnyAt(line, 0, heads)) return undefined;
  const start = beginOfDigits(line, end);
  return isAt(line, start - ID_LAST.length, ID_LAST) ? idBetween(line, start, end) : undefined;
}

function idBetween(line: Buffer, start: number, end: number): string | undefined {
  const count = end - start;
  if (count === 0 || count > MAX_DIGITS || (line[start] === ZERO && count > 1)) return undefined;
  let value = 0;
  for (let at = start; at < end; at += 1) value = value * 10 + (line[at] ?? ZERO) - ZERO;
  return String(value);
}

function endOfDigits(line: Buffer, from: number): number {
  let at = from;
  while (isDigit(line[at])) at += 1;
  return at;
}

function beginOfDigits(line: Buffer, end: number): number {
  let at = end;
  while (isDigit(line[at - 1])) at -= 1;
  return at;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE;
}

function isAnyAt(line: Buffer, at: number, texts: readonly Uint8Array[]): boolean {
  for (const text of texts) if (isAt(line, at, text)) return true;
  return false;
}

function isAt(line: Buffer, at: number, text: Uint8Array): boolean {
  for (let index = 0; index < text.length; index += 1) if (line[at + index] !== text[index]) return false;
  return true;
}

function bytes(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text));
}
