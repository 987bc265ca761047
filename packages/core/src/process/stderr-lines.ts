import { StringDecoder } from 'node:string_decoder';

import { escapeControls, NO_MASK, type TextMask } from '@mcpmux/kit';

import { Excerpt } from './excerpt.js';

/** The maximum length of one piece of a stderr line, in UTF-16 code units. */
export const MAX_STDERR_LINE = 8 * 1024;
/** CSI and OSC sequences. A log is easier to read without colours. */
// oxlint-disable-next-line no-control-regex -- these are the characters to find
const ANSI_SEQUENCE = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-_])/g;

/**
 * Splits the stderr output of a server into lines, passes each line to `onLine`, and keeps an excerpt of the lines.
 *
 * It removes colour codes and makes control characters visible, so a server can neither write escape codes to a
 * terminal nor forge a second log line.
 */
export class StderrLines {
  private readonly decoder = new StringDecoder('utf8');
  /** The start of a line whose end has not arrived yet. Its secrets are not removed. */
  private partial = '';
  private readonly kept = new Excerpt();

  constructor(
    private readonly onLine: (line: string) => void,
    private readonly mask: TextMask = NO_MASK,
  ) {}

  /** The lines to report with a failure, in order. */
  get excerpt(): readonly string[] {
    return this.kept.lines;
  }

  push(chunk: Buffer): void {
    const lines = (this.partial + this.decoder.write(chunk)).split('\n');
    const partial = lines.pop() ?? '';
    for (const line of lines) this.whole(line);
    this.partial = this.withoutPieces(partial, false);
  }

  /** Handles the end of the stream. Text after the last newline is a line. */
  end(): void {
    this.whole(this.partial + this.decoder.end());
    this.partial = '';
  }

  private whole(line: string): void {
    this.take(this.mask.redact(this.withoutPieces(line, true)));
  }

  /** Takes full pieces off a line that is too long. Returns the rest, which is never much longer than one piece. */
  private withoutPieces(line: string, isWhole: boolean): string {
    let rest = line;
    for (;;) {
      const parts = this.mask.split(rest, MAX_STDERR_LINE, isWhole);
      if (parts === undefined) return rest;
      this.take(parts.shown);
      ({ rest } = parts);
    }
  }

  private take(text: string): void {
    const line = shownLine(text, this.mask);
    if (line === '') return;
    this.kept.add(line);
    this.onLine(line);
  }
}

/** Returns a redacted line in a form that is safe to show to a person. */
export function shownLine(redacted: string, mask: TextMask): string {
  const text = redacted.trimEnd();
  const plain = text.replaceAll(ANSI_SEQUENCE, '');
  // The secret may have contained a colour code.
  return escapeControls(plain === text ? text : mask.redact(plain));
}
