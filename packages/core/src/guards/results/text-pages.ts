const LINE_FEED = 0x0a;
/** Matching lines up to this number of bytes are output whole; a longer line is cut to this number of characters. */
const MAX_LINE_BYTES = 1000;
/** Number of bytes to search before yielding to the event loop. */
const SLICE_BYTES = 1024 * 1024;
/** Maximum number of matching lines in the output. */
const MAX_MATCHING_LINES = 100_000;
const MORE_NOTE = Buffer.from(`… more lines match, and are not shown: search for a longer text\n`);
/** Maximum number of UTF-8 bytes per UTF-16 code unit. */
const MAX_CHARACTER_BYTES = 3;

/** One page of a text. */
export interface TextPage {
  readonly text: string;
  readonly pages: number;
}

/** Returns one page of a text; undefined after the last page. Pages count from 1 and never split a character. */
export function pageOf(text: Buffer, page: number, pageBytes: number): TextPage | undefined {
  const pages = Math.max(1, Math.ceil(text.length / pageBytes));
  if (page > pages) return undefined;
  const start = characterAt(text, (page - 1) * pageBytes);
  const end = characterAt(text, page * pageBytes);
  return { text: text.toString('utf8', start, end), pages };
}

/** Returns the first `bytes` bytes of a text, or slightly fewer, so as not to split a character. */
export function headOf(text: Buffer, bytes: number): string {
  return text.toString('utf8', 0, characterAt(text, bytes));
}

/** Returns the lines that contain a string, regardless of case, as one text. Each line starts with its line number. */
export async function matchingLines(text: Buffer, query: string): Promise<Buffer> {
  const needle = query.toLowerCase();
  const matches: Buffer[] = [];
  const slice = new WorkSlice();
  let number = 0;
  for (let at = 0; at < text.length;) {
    const lineFeed = text.indexOf(LINE_FEED, at);
    const end = lineFeed < 0 ? text.length : lineFeed;
    number += 1;
    const line = text.subarray(at, end);
    const match =
      line.length > SLICE_BYTES ? await matchPieces(line, needle, slice) : findMatch(line, needle);
    if (match !== undefined && matches.length === MAX_MATCHING_LINES)
      return Buffer.concat([...matches, MORE_NOTE]);
    if (match !== undefined) matches.push(Buffer.from(`${number}: ${match}\n`));
    at = end + 1;
    slice.consume(line.length + 1);
    if (slice.isOver) await slice.yieldToOthers();
  }
  return Buffer.concat(matches);
}

/** Returns the line, or an excerpt around the first match if the line is long; undefined if `needle` is not found. */
function findMatch(line: Buffer, needle: string, lineBytes = line.length): string | undefined {
  const text = line.toString('utf8');
  const match = text.toLowerCase().indexOf(needle);
  return match < 0 ? undefined : excerptAround(text, match, lineBytes);
}

/** Runs {@link findMatch} on overlapping pieces of a line, so that a match across a boundary is also found. */
async function matchPieces(line: Buffer, needle: string, slice: WorkSlice): Promise<string | undefined> {
  const overlap = (needle.length + MAX_LINE_BYTES / 2) * MAX_CHARACTER_BYTES;
  for (let at = 0; ;) {
    const end = characterAt(line, at + SLICE_BYTES + overlap);
    const match = findMatch(line.subarray(at, end), needle, line.length);
    if (match !== undefined || end === line.length) return match;
    await slice.yieldToOthers();
    at = characterAt(line, end - overlap);
  }
}

function excerptAround(piece: string, match: number, lineBytes: number): string {
  if (lineBytes <= MAX_LINE_BYTES) return piece;
  const start = Math.max(0, match - MAX_LINE_BYTES / 2);
  return `…${piece.slice(start, start + MAX_LINE_BYTES)}…`;
}

/** Counts the bytes that a search may still read before it must yield to other work. */
class WorkSlice {
  private remainingBytes = SLICE_BYTES;

  get isOver(): boolean {
    return this.remainingBytes <= 0;
  }

  consume(bytes: number): void {
    this.remainingBytes -= bytes;
  }

  async yieldToOthers(): Promise<void> {
    this.remainingBytes = SLICE_BYTES;
    await new Promise(setImmediate);
  }
}

/** Returns the start of the UTF-8 character that contains the byte at `offset`. */
function characterAt(text: Buffer, offset: number): number {
  let at = Math.min(offset, text.length);
  while (at > 0 && at < text.length && ((text[at] ?? 0) & 0xc0) === 0x80) at -= 1;
  return at;
}
