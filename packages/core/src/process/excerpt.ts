import { cutText } from '@mcpmux/kit';

/** The number of first lines in an excerpt. A program that refuses its arguments gives the reason before its usage. */
export const HEAD_LINES = 10;
/** The number of last lines in an excerpt. */
export const TAIL_LINES = 20;
/**
 * The number of lines in the middle that name an error. The log of a long run precedes a panic, and its stack trace
 * follows.
 */
export const ERROR_LINES = 5;
/** The maximum length of a line in an excerpt, in characters. */
export const EXCERPT_LINE_LENGTH = 1000;

/** A line without indentation that names an error. The lines of stack traces are indented, or are calls. */
const ERROR = /^(?=\S).*?(?<![\w./])(?:\w*error|\w*exception|fatal|panic(?:ked)?)(?![\w./(])/i;

interface PlacedLine {
  readonly text: string;
  /** The number of the line in the whole text. */
  readonly at: number;
}

/**
 * The lines of a long text that most likely contain the reason: the first, the last, and lines in the middle that name
 * errors.
 */
export class Excerpt {
  private readonly head: PlacedLine[] = [];
  private readonly errors: PlacedLine[] = [];
  private readonly tail: PlacedLine[] = [];
  private count = 0;

  add(line: string): void {
    const text = line.length > EXCERPT_LINE_LENGTH ? `${cutText(line, EXCERPT_LINE_LENGTH)}…` : line;
    const placed = { text, at: this.count };
    this.count += 1;
    if (this.head.length < HEAD_LINES) this.head.push(placed);
    else this.tail.push(placed);
    const passed = this.tail.length > TAIL_LINES ? this.tail.shift() : undefined;
    if (passed === undefined || !ERROR.test(passed.text)) return;
    this.errors.push(passed);
    if (this.errors.length > ERROR_LINES) this.errors.shift();
  }

  /** The lines in order. A note with the number of lines replaces each gap. */
  get lines(): readonly string[] {
    let next = 0;
    return [...this.head, ...this.errors, ...this.tail].flatMap(({ text, at }) => {
      const leftOut = at - next;
      next = at + 1;
      return leftOut === 0 ? [text] : [leftOutNote(leftOut), text];
    });
  }
}

/** Returns the note that replaces lines that were left out. */
export function leftOutNote(lines: number): string {
  return `(${lines} more ${lines === 1 ? 'line was' : 'lines were'} left out here)`;
}
