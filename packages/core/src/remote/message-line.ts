const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const BLANK = /^[ \t]*$/;
/** A longer text has something in it. */
const LONGEST_BLANK = 64;

/**
 * A JSON text as one line. Line ends become spaces, in the memory of the text: in JSON they can only stand between
 * values. Every other byte stays as it is. Undefined for a text without a value.
 */
export function messageLine(text: Buffer): Buffer | undefined {
  const line = text.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
    ? text.subarray(BYTE_ORDER_MARK.length)
    : text;
  for (const lineEnd of [LINE_FEED, CARRIAGE_RETURN])
    for (let at = line.indexOf(lineEnd); at !== -1; at = line.indexOf(lineEnd, at + 1)) line[at] = SPACE;
  const isBlank = line.length <= LONGEST_BLANK && BLANK.test(line.toString('latin1'));
  return isBlank ? undefined : line;
}
