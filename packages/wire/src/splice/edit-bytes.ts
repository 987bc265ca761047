/**
 * What is put into a line: bytes, a text, or the digits of an integer that is not negative. V8 keeps the text of a number
 * for a while, so one text for each id that mcpmux gives out would live longer than its call, by the thousand.
 */
export type EditBytes = Buffer | string | number;

const LAST_ASCII = 0x7f;
const ZERO = 0x30;
const BASE = 10;
/** Below this a loop is cheaper than a call into the runtime. */
const WRITE_BY_HAND_BYTES = 64;

/** Writes to `out` at `to`. */
export function write(out: Buffer, to: number, bytes: EditBytes): void {
  if (typeof bytes === 'number') writeDigits(out, to, bytes);
  else if (typeof bytes === 'string') writeText(out, to, bytes);
  else out.set(bytes, to);
}

function writeDigits(out: Buffer, to: number, value: number): void {
  let left = value;
  for (let at = to + digitCount(value) - 1; at >= to; at -= 1) {
    const rest = Math.floor(left / BASE);
    out[at] = ZERO + (left - rest * BASE);
    left = rest;
  }
}

function writeText(out: Buffer, to: number, text: string): void {
  if (isShortAscii(text)) for (let at = 0; at < text.length; at += 1) out[to + at] = text.charCodeAt(at);
  else out.write(text, to);
}

/** How many bytes {@link write} writes. */
export function byteLength(bytes: EditBytes): number {
  if (typeof bytes === 'number') return digitCount(bytes);
  return typeof bytes === 'string' && !isShortAscii(bytes) ? Buffer.byteLength(bytes) : bytes.length;
}

function digitCount(value: number): number {
  let count = 1;
  for (let above = BASE; value >= above; above *= BASE) count += 1;
  return count;
}

function isShortAscii(text: string): boolean {
  if (text.length > WRITE_BY_HAND_BYTES) return false;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > LAST_ASCII) return false;
  return true;
}
