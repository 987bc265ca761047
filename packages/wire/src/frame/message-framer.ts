import { parseContentLength, HeaderFramer } from './header-framer.js';
import { LineFramer, type LineFramerOptions, type LineSink } from './line-framer.js';

/** How messages in a stream are delimited: by newlines (MCP) or by `Content-Length` headers. */
export type Framing = 'lines' | 'headers';

const OPEN_BRACE = 0x7b;

/**
 * Splits a byte stream into messages with either framing.
 *
 * The first line that is a `Content-Length` header or begins a message determines the framing of the whole stream.
 * Earlier lines are noise and are passed to the sink.
 */
export class MessageFramer {
  /** The framer for the rest of the stream. Undefined until the framing is known. */
  chosenFramer: LineFramer | HeaderFramer | undefined;
  private readonly initialFramer: LineFramer;

  constructor(
    private readonly sink: LineSink,
    private readonly maxLineBytes: number,
    private readonly options: LineFramerOptions = {},
  ) {
    this.initialFramer = new LineFramer(
      {
        line: (line, isLast) => this.handleUndecidedLine(line, isLast),
        oversized: (line, isLast) => sink.oversized(line, isLast),
      },
      maxLineBytes,
      options,
    );
  }

  /** The peer's framing. Undefined until it is known. */
  get framing(): Framing | undefined {
    return this.chosenFramer && (this.chosenFramer instanceof LineFramer ? 'lines' : 'headers');
  }

  /** Like `push` of {@link LineFramer}. */
  push(chunk: Buffer, maxLines = Infinity): Buffer | undefined {
    let rest: Buffer | undefined = chunk;
    let remaining = maxLines;
    while (rest !== undefined && remaining > 0 && this.chosenFramer === undefined) {
      rest = this.initialFramer.push(rest, 1);
      remaining -= 1;
    }
    return rest === undefined || remaining <= 0 ? rest : this.chosenFramer?.push(rest, remaining);
  }

  /** Called when the stream has ended. */
  end(): void {
    (this.chosenFramer ?? this.initialFramer).end();
  }

  /** Like `nextReadBuffer` of {@link LineFramer}. */
  nextReadBuffer(): Buffer | undefined {
    return (this.chosenFramer ?? this.initialFramer).nextReadBuffer();
  }

  /** Called when the stream is closed. */
  close(): void {
    (this.chosenFramer ?? this.initialFramer).close();
  }

  private handleUndecidedLine(line: Buffer, isLast?: boolean): void {
    const { sink, maxLineBytes, options } = this;
    const length = parseContentLength(line);
    if (length !== undefined) {
      this.chosenFramer = new HeaderFramer(sink, maxLineBytes, options, length);
      return;
    }
    if (line[0] === OPEN_BRACE) this.chosenFramer = new LineFramer(sink, maxLineBytes, options);
    sink.line(line, isLast);
  }
}
