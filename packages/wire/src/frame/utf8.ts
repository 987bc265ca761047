import { isUtf8 } from 'node:buffer';

/**
 * Returns the line if it is valid UTF-8. Otherwise returns a copy in which U+FFFD replaces invalid bytes, because a
 * strict reader ends its session at a single invalid byte.
 */
export function asUtf8(line: Buffer): Buffer {
  return isUtf8(line) ? line : Buffer.from(line.toString('utf8'));
}

/** The first byte of a UTF-8 byte order mark. */
export const MARK_START = 0xef;

const MARK = Buffer.from([MARK_START, 0xbb, 0xbf]);

/** Returns the text without a leading byte order mark. Copies nothing. */
export function withoutMark(text: Buffer): Buffer {
  return text[0] === MARK_START && text.subarray(0, MARK.length).equals(MARK)
    ? text.subarray(MARK.length)
    : text;
}
