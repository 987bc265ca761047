import { JsonSyntaxError } from './json-syntax-error.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const LOWER_U = 0x75;
/** 1 at each byte that may follow a backslash, except `u`. */
const SIMPLE_ESCAPES = new Uint8Array(256);
for (const byte of Buffer.from('"\\/bfnrt')) SIMPLE_ESCAPES[byte] = 1;

/** 1 at each byte that a string may contain unescaped. */
const PLAIN = new Uint8Array(256).fill(1, SPACE);
PLAIN[QUOTE] = 0;
PLAIN[BACKSLASH] = 0;

/**
 * Returns the offset after the closing quote of the JSON string whose opening quote is at `at`. Returns undefined if
 * the string continues to `stop`. Checks the escapes, and that there are no raw control characters.
 *
 * @throws JsonSyntaxError
 */
export function stringEnd(bytes: Buffer, at: number, stop = bytes.length): number | undefined {
  at += 1;
  for (;;) {
    while (at < stop && PLAIN[bytes[at] as number] === 1) at += 1;
    if (at >= stop) return undefined;
    const byte = bytes[at];
    if (byte === QUOTE) return at + 1;
    if (byte !== BACKSLASH) throw new JsonSyntaxError('a raw control character in a string', at);
    at = escapeEnd(bytes, at);
  }
}

function escapeEnd(bytes: Buffer, backslash: number): number {
  const escape = bytes[backslash + 1] as number;
  if (SIMPLE_ESCAPES[escape] === 1) return backslash + 2;
  if (escape !== LOWER_U) throw new JsonSyntaxError('an unknown escape', backslash);
  for (let at = backslash + 2; at < backslash + 6; at += 1) {
    if (!isHexDigit(bytes[at] as number)) throw new JsonSyntaxError('a broken \\u escape', backslash);
  }
  return backslash + 6;
}

function isHexDigit(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);
}
