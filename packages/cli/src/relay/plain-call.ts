const ZERO = 0x30;
const NINE = 0x39;
const CLOSE = 0x7d;
/** The longest id that is exact as a number. */
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
 * The id of a call of a tool, as serializers of SDKs write such a request: with a number as id, which is the second member
 * or the last one. Undefined for every other line.
 *
 * Only the beginning and the end are read: most lines are calls and their results, and to read all of it would be the
 * better part of what a relay does. A line that is no JSON between them counts as a call here. The shared process refuses it,
 * and names it.
 */
export function idOfPlainCall(line: Buffer): string | undefined {
  return idAt(line, REST_OF_CALL, CALL_WITHOUT_ID);
}

/** The same for a result, in a line that is whole. */
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
