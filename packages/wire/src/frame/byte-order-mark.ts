/** The first byte of a byte order mark in UTF-8. */
export const MARK_START = 0xef;

const MARK = Buffer.from([MARK_START, 0xbb, 0xbf]);

/** The text without the byte order mark at its beginning. Copies nothing. */
export function withoutMark(text: Buffer): Buffer {
  return text[0] === MARK_START && text.subarray(0, MARK.length).equals(MARK)
    ? text.subarray(MARK.length)
    : text;
}
