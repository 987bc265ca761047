import { cutText } from '@mcpmux/kit';

/** First lines that an excerpt has: a program that refuses its arguments tells the reason before its usage. */
export const HEAD_LINES = 10;
/** Last lines that an excerpt has. */
export const TAIL_LINES = 20;
/** Lines between that tell of an error: a panic stands between the log of a long run and its stack trace. */
export const ERROR_LINES = 5;
/** Characters of a line in an excerpt. */
export const EXCERPT_LINE_LENGTH = 1000;

/** A line at the margin that names an error. Lines of stack traces are indented, or are calls. */
const ERROR = /^(?=\S).*?(?<![\w./])(?:\w*error|\w*exception|fatal|panic(?:ked)?)(?![\w./(])/i;

interface PlacedLine {
  readonly text: string;
  /** The number of the line in the whole text. */
  readonly at: number;
}

/** The lines of a long text in which its reason most likely stands: the first, the last, and errors between. */
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

  /** The lines in order, and in place of those between how many they are. */
  get lines(): readonly string[] {
    let next = 0;
    return [...this.head, ...this.errors, ...this.tail].flatMap(({ text, at }) => {
      const leftOut = at - next;
      next = at + 1;
      return leftOut === 0 ? [text] : [leftOutNote(leftOut), text];
    });
  }
}

/** Stands in place of lines that are not shown. */
export function leftOutNote(lines: number): string {
  return `(${lines} more ${lines === 1 ? 'line was' : 'lines were'} left out here)`;
}
