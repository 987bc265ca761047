import type { KeyNode } from './key-paths.js';

const BACKSLASH = 0x5c;
const LOWER_U = 0x75;
const NUL = 0;
/** The bit that converts an ASCII capital to lower case. */
const CASE_BIT = 0x20;
/** The lead bytes of two-byte characters lie between this value (inclusive) and the next constant (exclusive). */
const MIN_TWO_BYTE_LEAD = 0xc2;
const MIN_THREE_BYTE_LEAD = 0xe0;
/** Represents any character that no key contains. */
const OTHER_CHARACTER = 0x20;
/** The non-ASCII letters that some peers fold into ASCII. For example, "ſ" has the upper case "S". */
const ASCII_FOLDS = new Map([
  [0x130, 0x69],
  [0x131, 0x69],
  [0x17f, 0x73],
]);

/**
 * Returns the key in `nodes` with which a lenient peer may confuse the key at `[start, end)` of `line`. Lenient peers
 * ignore case (CVE-2026-27896), drop NUL characters, or stop reading at a NUL character.
 *
 * The keys in `nodes` consist of lower-case ASCII letters. The key is not decoded into a string, because a hostile line
 * may contain a million keys.
 */
export function confusableKey(
  nodes: readonly KeyNode[],
  line: Buffer,
  start: number,
  end: number,
): string | undefined {
  for (const node of nodes) {
    if (isConfusable(node.bytes, line, start, end)) return node.key;
  }
  return undefined;
}

function isConfusable(key: Buffer, line: Buffer, start: number, end: number): boolean {
  let matched = 0;
  for (let at = start; at < end; at += characterLengthAt(line, at)) {
    const code = characterCodeAt(line, at);
    if (code === NUL) {
      if (matched === key.length) return true;
    } else {
      if (((ASCII_FOLDS.get(code) ?? code) | CASE_BIT) !== key[matched]) return false;
      matched += 1;
    }
  }
  return matched === key.length;
}

/** Returns the byte length of the character or escape at `at`. Exact only for the characters that matter here. */
function characterLengthAt(line: Buffer, at: number): number {
  const byte = line[at] as number;
  if (byte === BACKSLASH) return line[at + 1] === LOWER_U ? 6 : 2;
  return byte >= MIN_TWO_BYTE_LEAD && byte < MIN_THREE_BYTE_LEAD ? 2 : 1;
}

function characterCodeAt(line: Buffer, at: number): number {
  const byte = line[at] as number;
  const length = characterLengthAt(line, at);
  if (length === 6) return Number.parseInt(line.toString('latin1', at + 2, at + 6), 16);
  if (byte === BACKSLASH) return OTHER_CHARACTER;
  return length === 2 ? ((byte & 0x1f) << 6) | ((line[at + 1] as number) & 0x3f) : byte;
}
