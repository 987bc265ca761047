import { cutText } from '@mcpmux/kit';

/** The number of leading lines in an excerpt. Many programs print the error first and then a long usage text. */
export const HEAD_LINES = 10;
/** The number of trailing lines in an excerpt. */
export const TAIL_LINES = 20;
/** The maximum number of error lines from the middle, such as a panic between a long log and a long stack trace. */
export const MAX_ERROR_LINES = 5;
/** The maximum length of a line in an excerpt, in characters. */
export const MAX_EXCERPT_LINE_LENGTH = 1000;

/** Matches an unindented line that mentions an error. Lines of a stack trace are indented or contain a call. */
const ERROR_LINE = /^(?=\S).*?(?<![\w./])(?:\w*error|\w*exception|fatal|panic(?:ked)?)(?![\w./(])/i;

interface NumberedLine {
  readonly text: string;
  /** The index of the line in the whole text, from 0. */
  readonly index: number;
}

/** The lines of a long text that most likely explain a failure: the first, the last, and errors in the middle. */
export class Excerpt {
  private readonly head: NumberedLine[] = [];
  private readonly errors: NumberedLine[] = [];
  private readonly tail: NumberedLine[] = [];
  private lineCount = 0;

  add(line: string): void {
    const text = line.length > MAX_EXCERPT_LINE_LENGTH ? `${cutText(line, MAX_EXCERPT_LINE_LENGTH)}…` : line;
    const numberedLine = { text, index: this.lineCount };
    this.lineCount += 1;
    if (this.head.length < HEAD_LINES) this.head.push(numberedLine);
    else this.tail.push(numberedLine);
    const evictedLine = this.tail.length > TAIL_LINES ? this.tail.shift() : undefined;
    if (evictedLine === undefined || !ERROR_LINE.test(evictedLine.text)) return;
    this.errors.push(evictedLine);
    if (this.errors.length > MAX_ERROR_LINES) this.errors.shift();
  }

  /** The selected lines in order, with a note in place of each omitted block. */
  get lines(): readonly string[] {
    let next = 0;
    return [...this.head, ...this.errors, ...this.tail].flatMap(({ text, index }) => {
      const omittedCount = index - next;
      next = index + 1;
      return omittedCount === 0 ? [text] : [omissionNote(omittedCount), text];
    });
  }
}

/** Returns the note that replaces omitted lines. */
export function omissionNote(lines: number): string {
  return `(${lines} more ${lines === 1 ? 'line was' : 'lines were'} left out here)`;
}
