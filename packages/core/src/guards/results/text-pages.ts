const LINE_FEED = 0x0a;
/** A line that is found is shown up to this length, in bytes. */
const MAX_LINE_BYTES = 1000;
/** Bytes that are searched before others have their turn. */
const TURN_BYTES = 4 * 1024 * 1024;

/** One page of a text. */
export interface TextPage {
  readonly text: string;
  readonly pages: number;
}

/** A page of a text, from 1; undefined behind the last one. No character is cut. */
export function pageOf(text: Buffer, page: number, pageBytes: number): TextPage | undefined {
  const pages = Math.max(1, Math.ceil(text.length / pageBytes));
  if (page > pages) return undefined;
  const start = characterAt(text, (page - 1) * pageBytes);
  const end = characterAt(text, page * pageBytes);
  return { text: text.toString('utf8', start, end), pages };
}

/** The first `bytes` of a text, without half a character. */
export function headOf(text: Buffer, bytes: number): string {
  return text.toString('utf8', 0, characterAt(text, bytes));
}

/** The lines that contain a text, in any case, each with its number: a text of its own, to be paged. */
export async function matchingLines(text: Buffer, wanted: string): Promise<Buffer> {
  const needle = wanted.toLowerCase();
  const found: Buffer[] = [];
  let number = 0;
  let turn = TURN_BYTES;
  for (let at = 0; at < text.length;) {
    const feed = text.indexOf(LINE_FEED, at);
    const end = feed < 0 ? text.length : feed;
    number += 1;
    const line = text.toString('utf8', at, end);
    if (line.toLowerCase().includes(needle)) found.push(Buffer.from(`${number}: ${shown(line, needle)}\n`));
    turn -= end - at + 1;
    at = end + 1;
    if (turn > 0) continue;
    turn = TURN_BYTES;
    await new Promise(setImmediate);
  }
  return Buffer.concat(found);
}

/** The part of a long line around the first match. */
function shown(line: string, needle: string): string {
  if (line.length <= MAX_LINE_BYTES) return line;
  const start = Math.max(0, line.toLowerCase().indexOf(needle) - MAX_LINE_BYTES / 2);
  return `…${line.slice(start, start + MAX_LINE_BYTES)}…`;
}

/** The beginning of the character at an offset, or before it. */
function characterAt(text: Buffer, offset: number): number {
  let at = Math.min(offset, text.length);
  while (at > 0 && at < text.length && ((text[at] ?? 0) & 0xc0) === 0x80) at -= 1;
  return at;
}
