import { contentLength, HeaderFramer } from './header-framer.js';
import { LineFramer, type LineFramerOptions, type LineSink } from './line-framer.js';

/** The delimiters of messages in a stream, which are newlines (MCP) or `Content-Length` headers. */
export type Framing = 'lines' | 'headers';

const OPEN_BRACE = 0x7b;

/**
 * Splits a byte stream into messages with either framing.
 *
 * The first line that begins a message or is a `Content-Length` header decides for the whole stream. Lines before it
 * are garbage and go to the sink as lines.
 */
export class MessageFramer {
  /** The framer for the rest of the stream. Undefined until the framing is known. */
  chosen: LineFramer | HeaderFramer | undefined;
  private readonly early: LineFramer;

  constructor(
    private readonly sink: LineSink,
    private readonly maxLineBytes: number,
    private readonly options: LineFramerOptions = {},
  ) {
    this.early = new LineFramer(
      {
        line: (line, isLast) => this.earlyLine(line, isLast),
        oversized: (line, isLast) => sink.oversized(line, isLast),
      },
      maxLineBytes,
      options,
    );
  }

  /** The framing of the peer. Undefined until it is known. */
  get framing(): Framing | undefined {
    return this.chosen && (this.chosen instanceof LineFramer ? 'lines' : 'headers');
  }

  /** Like `push` of {@link LineFramer}. */
  push(chunk: Buffer, maxLines = Infinity): Buffer | undefined {
    let rest: Buffer | undefined = chunk;
    let left = maxLines;
    while (rest !== undefined && left > 0 && this.chosen === undefined) {
      rest = this.early.push(rest, 1);
      left -= 1;
    }
    return rest === undefined || left <= 0 ? rest : this.chosen?.push(rest, left);
  }

  /** Called when the stream has ended. */
  end(): void {
    (this.chosen ?? this.early).end();
  }

  /** Like `makePlace` of {@link LineFramer}. */
  makePlace(): Buffer | undefined {
    return (this.chosen ?? this.early).makePlace();
  }

  /** Called when the stream is closed. */
  close(): void {
    (this.chosen ?? this.early).close();
  }

  private earlyLine(line: Buffer, isLast?: boolean): void {
    const { sink, maxLineBytes, options } = this;
    const length = contentLength(line);
    if (length !== undefined) {
      this.chosen = new HeaderFramer(sink, maxLineBytes, options, length);
      return;
    }
    if (line[0] === OPEN_BRACE) this.chosen = new LineFramer(sink, maxLineBytes, options);
    sink.line(line, isLast);
  }
}
