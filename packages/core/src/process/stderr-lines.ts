import { StringDecoder } from 'node:string_decoder';

import { escapeControls, NO_MASK, type TextMask } from '@mcpmux/kit';

import { Excerpt } from './excerpt.js';

/** Longest piece of a stderr line kept as one, in UTF-16 code units. */
export const MAX_STDERR_LINE = 8 * 1024;
/** CSI and OSC sequences: a log is easier to read without colours. */
// oxlint-disable-next-line no-control-regex -- these are the characters to find
const ANSI_SEQUENCE = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-_])/g;

/**
 * Splits what a server writes to stderr into lines, gives each to `onLine`, and keeps an excerpt of them.
 *
 * Colour codes are removed and control characters made visible, so that a server can neither write escape codes to
 * a terminal nor forge a second log line.
 */
export class StderrLines {
  private readonly decoder = new StringDecoder('utf8');
  /** The line that has no end yet, with its secrets. */
  private partial = '';
  private readonly kept = new Excerpt();

  constructor(
    private readonly onLine: (line: string) => void,
    private readonly mask: TextMask = NO_MASK,
  ) {}

  /** The lines to tell with a failure, in order. */
  get excerpt(): readonly string[] {
    return this.kept.lines;
  }

  push(chunk: Buffer): void {
    const lines = (this.partial + this.decoder.write(chunk)).split('\n');
    const partial = lines.pop() ?? '';
    for (const line of lines) this.whole(line);
    this.partial = this.withoutPieces(partial, false);
  }

  /** The stream has ended: what came after the last newline counts as a line. */
  end(): void {
    this.whole(this.partial + this.decoder.end());
    this.partial = '';
  }

  private whole(line: string): void {
    this.take(this.mask.redact(this.withoutPieces(line, true)));
  }

  /** Takes full pieces off a line that is too long, and returns the rest: never much more than one piece. */
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

/** A redacted line as a person may read it. */
export function shownLine(redacted: string, mask: TextMask): string {
  const text = redacted.trimEnd();
  const plain = text.replaceAll(ANSI_SEQUENCE, '');
  // A colour code may have stood within a secret.
  return escapeControls(plain === text ? text : mask.redact(plain));
}
