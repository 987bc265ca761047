import type { KeyNode } from './key-paths.js';

const BACKSLASH = 0x5c;
const LOWER_U = 0x75;
const NUL = 0;
/** The bit that turns an ASCII capital into a lower-case letter. */
const CASE_BIT = 0x20;
/** Bytes from this one up to the next constant begin a character of two bytes. */
const TWO_BYTES_FROM = 0xc2;
const THREE_BYTES_FROM = 0xe0;
/** A value for characters that no key contains. */
const OTHER = 0x20;
/** Non-ASCII letters that some peers fold into ASCII. For example, "ſ" is a lower-case letter whose capital is "S". */
const FOLDED = new Map([
  [0x130, 0x69],
  [0x131, 0x69],
  [0x17f, 0x73],
]);

/**
 * Returns the key in `nodes` for which a lenient peer may mistake the key at `[start, end)` of `line`. Such a peer
 * ignores case (CVE-2026-27896), drops NUL characters, or stops reading at a NUL character.
 *
 * The keys in `nodes` consist of lower-case ASCII letters. Nothing is decoded into a string, because a hostile line may
 * have a million keys.
 */
export function confusableKey(
  nodes: readonly KeyNode[],
  line: Buffer,
  start: number,
  end: number,
): string | undefined {
  for (const node of nodes) {
    if (readsLike(node.bytes, line, start, end)) return node.key;
  }
  return undefined;
}

function readsLike(key: Buffer, line: Buffer, start: number, end: number): boolean {
  let matched = 0;
  for (let at = start; at < end; at += lengthAt(line, at)) {
    const code = codeAt(line, at);
    if (code === NUL) {
      if (matched === key.length) return true;
    } else {
      if (((FOLDED.get(code) ?? code) | CASE_BIT) !== key[matched]) return false;
      matched += 1;
    }
  }
  return matched === key.length;
}

/** Returns the length in bytes of the character or escape at `at`, as precisely as necessary here. */
function lengthAt(line: Buffer, at: number): number {
  const byte = line[at] as number;
  if (byte === BACKSLASH) return line[at + 1] === LOWER_U ? 6 : 2;
  return byte >= TWO_BYTES_FROM && byte < THREE_BYTES_FROM ? 2 : 1;
}

function codeAt(line: Buffer, at: number): number {
  const byte = line[at] as number;
  const length = lengthAt(line, at);
  if (length === 6) return Number.parseInt(line.toString('latin1', at + 2, at + 6), 16);
  if (byte === BACKSLASH) return OTHER;
  return length === 2 ? ((byte & 0x1f) << 6) | ((line[at + 1] as number) & 0x3f) : byte;
}
