import { StringDecoder } from 'node:string_decoder';

import { escapeControls, NO_MASK, type TextMask } from '@mcpmux/kit';

import { Excerpt } from './excerpt.js';

/** The maximum length of one piece of a stderr line, in UTF-16 code units. */
export const MAX_STDERR_PIECE_LENGTH = 8 * 1024;
/** Matches terminal escape sequences (CSI and OSC). A log is easier to read without colours. */
// oxlint-disable-next-line no-control-regex -- these are the characters to find
const ANSI_SEQUENCE = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-_])/g;

/**
 * Splits a server's stderr output into lines, passes each line to `onLine`, and collects an excerpt of the lines.
 *
 * The class removes colour codes and makes control characters visible, so a server can neither write escape codes to a
 * terminal nor forge a log line.
 */
export class StderrLines {
  private readonly decoder = new StringDecoder('utf8');
  /** The text after the last newline. Not redacted yet, because a secret may continue in the next chunk. */
  private partialLine = '';
  private readonly collectedExcerpt = new Excerpt();

  constructor(
    private readonly onLine: (line: string) => void,
    private readonly mask: TextMask = NO_MASK,
  ) {}

  /** The lines to report with a failure, in order. */
  get excerpt(): readonly string[] {
    return this.collectedExcerpt.lines;
  }

  push(chunk: Buffer): void {
    const lines = (this.partialLine + this.decoder.write(chunk)).split('\n');
    const partial = lines.pop() ?? '';
    for (const line of lines) this.emitLine(line);
    this.partialLine = this.emitPieces(partial, false);
  }

  /** Emits the text after the last newline as a line. Called at the end of the stream. */
  end(): void {
    this.emitLine(this.partialLine + this.decoder.end());
    this.partialLine = '';
  }

  private emitLine(line: string): void {
    this.emit(this.mask.redact(this.emitPieces(line, true)));
  }

  /** Emits the complete pieces of an overlong line. Returns the rest, which is never much longer than one piece. */
  private emitPieces(line: string, isWhole: boolean): string {
    let remainder = line;
    for (;;) {
      const splitText = this.mask.split(remainder, MAX_STDERR_PIECE_LENGTH, isWhole);
      if (splitText === undefined) return remainder;
      this.emit(splitText.shown);
      ({ rest: remainder } = splitText);
    }
  }

  private emit(text: string): void {
    const line = printableLine(text, this.mask);
    if (line === '') return;
    this.collectedExcerpt.add(line);
    this.onLine(line);
  }
}

/** Returns a redacted line without colour codes and with control characters escaped, safe to print on a terminal. */
export function printableLine(redacted: string, mask: TextMask): string {
  const text = redacted.trimEnd();
  const plain = text.replaceAll(ANSI_SEQUENCE, '');
  // A colour code within a secret may have hidden it from the first redaction.
  return escapeControls(plain === text ? text : mask.redact(plain));
}
