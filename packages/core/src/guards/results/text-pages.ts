const LINE_FEED = 0x0a;
/** Maximum length of a matching line in the output, in bytes. */
const MAX_LINE_BYTES = 1000;
/** Number of bytes that are searched before other work can run. */
const TURN_BYTES = 1024 * 1024;
/** Maximum number of matching lines. */
const MAX_LINES = 100_000;
const MORE = Buffer.from(`… more lines match, and are not shown: search for a longer text\n`);
/** Maximum number of UTF-8 bytes for one UTF-16 unit. */
const MAX_CHARACTER_BYTES = 3;

/** One page of a text. */
export interface TextPage {
  readonly text: string;
  readonly pages: number;
}

/** Returns a page of a text; the first is page 1. Undefined after the last page. No character is cut. */
export function pageOf(text: Buffer, page: number, pageBytes: number): TextPage | undefined {
  const pages = Math.max(1, Math.ceil(text.length / pageBytes));
  if (page > pages) return undefined;
  const start = characterAt(text, (page - 1) * pageBytes);
  const end = characterAt(text, page * pageBytes);
  return { text: text.toString('utf8', start, end), pages };
}

/** Returns at most the first `bytes` bytes of a text. No character is cut. */
export function headOf(text: Buffer, bytes: number): string {
  return text.toString('utf8', 0, characterAt(text, bytes));
}

/**
 * Returns the lines that contain a string, ignoring case, each with its number. The lines form a text that can be
 * paged.
 */
export async function matchingLines(text: Buffer, wanted: string): Promise<Buffer> {
  const needle = wanted.toLowerCase();
  const found: Buffer[] = [];
  const turn = new Turn();
  let number = 0;
  for (let at = 0; at < text.length;) {
    const feed = text.indexOf(LINE_FEED, at);
    const end = feed < 0 ? text.length : feed;
    number += 1;
    const line = text.subarray(at, end);
    const match = line.length > TURN_BYTES ? await matchInTurns(line, needle, turn) : matchIn(line, needle);
    if (match !== undefined && found.length === MAX_LINES) return Buffer.concat([...found, MORE]);
    if (match !== undefined) found.push(Buffer.from(`${number}: ${match}\n`));
    at = end + 1;
    turn.took(line.length + 1);
    if (turn.isOver) await turn.next();
  }
  return Buffer.concat(found);
}

/**
 * Returns a line that contains a string, or the part of a long line around the first match. Undefined for any other
 * line.
 */
function matchIn(line: Buffer, needle: string, lineBytes = line.length): string | undefined {
  const text = line.toString('utf8');
  const match = text.toLowerCase().indexOf(needle);
  return match < 0 ? undefined : shown(text, match, lineBytes);
}

/**
 * Runs {@link matchIn} piece by piece. The pieces overlap, so a match across the end of a piece is found in the next
 * one.
 */
async function matchInTurns(line: Buffer, needle: string, turn: Turn): Promise<string | undefined> {
  const overlap = (needle.length + MAX_LINE_BYTES / 2) * MAX_CHARACTER_BYTES;
  for (let at = 0; ;) {
    const end = characterAt(line, at + TURN_BYTES + overlap);
    const match = matchIn(line.subarray(at, end), needle, line.length);
    if (match !== undefined || end === line.length) return match;
    await turn.next();
    at = characterAt(line, end - overlap);
  }
}

/** Returns the part of a long line around a match. */
function shown(piece: string, match: number, lineBytes: number): string {
  if (lineBytes <= MAX_LINE_BYTES) return piece;
  const start = Math.max(0, match - MAX_LINE_BYTES / 2);
  return `…${piece.slice(start, start + MAX_LINE_BYTES)}…`;
}

/** Counts the bytes that may still be searched before other work can run. */
class Turn {
  private left = TURN_BYTES;

  get isOver(): boolean {
    return this.left <= 0;
  }

  took(bytes: number): void {
    this.left -= bytes;
  }

  async next(): Promise<void> {
    this.left = TURN_BYTES;
    await new Promise(setImmediate);
  }
}

/** Returns the start of the character at an offset. */
function characterAt(text: Buffer, offset: number): number {
  let at = Math.min(offset, text.length);
  while (at > 0 && at < text.length && ((text[at] ?? 0) & 0xc0) === 0x80) at -= 1;
  return at;
}
