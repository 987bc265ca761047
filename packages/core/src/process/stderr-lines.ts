import { StringDecoder } from 'node:string_decoder';

/** Longest piece of a stderr line kept as one, in UTF-16 code units. */
export const MAX_STDERR_LINE = 8 * 1024;
/** Lines kept for error messages and for `list_servers`. */
export const STDERR_TAIL_LINES = 20;

/** CSI and OSC sequences: they would reach the terminal of the person who reads the log. */
// oxlint-disable-next-line no-control-regex -- these are the characters to find
const ANSI_SEQUENCE = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-_])/g;
// oxlint-disable-next-line no-control-regex -- these are the characters to find
const CONTROL_CHARACTER = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/g;

/**
 * Splits what a server writes to stderr into lines, gives each to `onLine`, and keeps the last of them.
 *
 * Colour codes are removed and control characters made visible, so that a server can neither write escape codes to
 * a terminal nor forge a second log line.
 */
export class StderrLines {
  private readonly decoder = new StringDecoder('utf8');
  private partial = '';
  private readonly kept: string[] = [];

  /** @param redact - takes secrets out of a text before it is kept or told */
  constructor(
    private readonly onLine: (line: string) => void,
    private readonly redact: (text: string) => string = (text) => text,
  ) {}

  /** The last {@link STDERR_TAIL_LINES} lines, oldest first. */
  get tail(): readonly string[] {
    return [...this.kept];
  }

  push(chunk: Buffer): void {
    // Before it is cut, so that no secret is cut in two.
    const lines = this.redact(this.partial + this.decoder.write(chunk)).split('\n');
    this.partial = lines.pop() ?? '';
    for (const line of lines) this.take(this.cut(line));
    this.partial = this.cut(this.partial);
  }

  /** The stream has ended: what came after the last newline counts as a line. */
  end(): void {
    this.take(this.cut(this.redact(this.partial + this.decoder.end())));
    this.partial = '';
  }

  /** Takes full pieces off a line that is too long, and returns the rest: never more than one piece. */
  private cut(line: string): string {
    let start = 0;
    for (; line.length - start > MAX_STDERR_LINE; start += MAX_STDERR_LINE) {
      this.take(line.slice(start, start + MAX_STDERR_LINE));
    }
    return line.slice(start);
  }

  private take(raw: string): void {
    const line = escapeControls(raw.trimEnd());
    if (line === '') return;
    this.kept.push(line);
    if (this.kept.length > STDERR_TAIL_LINES) this.kept.shift();
    this.onLine(line);
  }
}

function escapeControls(text: string): string {
  return text
    .replaceAll(ANSI_SEQUENCE, '')
    .replaceAll(
      CONTROL_CHARACTER,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
}
