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
  const line = inOneLine(withoutMark(text));
  const isBlank = line.length <= LONGEST_BLANK && BLANK.test(line.toString('latin1'));
  return isBlank ? undefined : line;
}

/** The same for a text that has come in parts, which stay apart. */
export function messageParts(parts: readonly Buffer[]): readonly Buffer[] | undefined {
  const [first = Buffer.alloc(0), ...others] = parts;
  if (others.length === 0 || first.length <= LONGEST_BLANK) {
    const line = messageLine(others.length === 0 ? first : Buffer.concat(parts));
    return line && [line];
  }
  return [withoutMark(first), ...others].map(inOneLine);
}

function withoutMark(text: Buffer): Buffer {
  const isMarked = text.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  return isMarked ? text.subarray(BYTE_ORDER_MARK.length) : text;
}

function inOneLine(text: Buffer): Buffer {
  for (const lineEnd of [LINE_FEED, CARRIAGE_RETURN])
    for (let at = text.indexOf(lineEnd); at !== -1; at = text.indexOf(lineEnd, at + 1)) text[at] = SPACE;
  return text;
}
