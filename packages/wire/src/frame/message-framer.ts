import { contentLength, HeaderFramer } from './header-framer.js';
import { LineFramer, type LineFramerOptions, type LineSink } from './line-framer.js';

/** How the messages of a stream are told apart: by newlines (MCP), or by `Content-Length` headers. */
export type Framing = 'lines' | 'headers';

const OPEN_BRACE = 0x7b;

/**
 * Splits a byte stream into messages, however its peer frames them.
 *
 * The first line that begins a message or is a `Content-Length` header decides for the whole stream; what comes before
 * it is garbage and goes to the sink as lines.
 */
export class MessageFramer {
  /** How the peer frames; undefined until that is known. */
  framing: Framing | undefined;
  private framer: LineFramer | HeaderFramer;

  constructor(
    private readonly sink: LineSink,
    private readonly maxLineBytes: number,
    private readonly options: LineFramerOptions = {},
  ) {
    this.framer = new LineFramer(
      {
        line: (line, isLast) => this.earlyLine(line, isLast),
        oversized: (line, isLast) => sink.oversized(line, isLast),
      },
      maxLineBytes,
      options,
    );
  }

  /** As of {@link LineFramer}. */
  push(chunk: Buffer, maxLines = Infinity): Buffer | undefined {
    let rest: Buffer | undefined = chunk;
    let left = maxLines;
    while (rest !== undefined && left > 0 && this.framing === undefined) {
      rest = this.framer.push(rest, 1);
      left -= 1;
    }
    return rest === undefined || left <= 0 ? rest : this.framer.push(rest, left);
  }

  /** The stream has ended. */
  end(): void {
    this.framer.end();
  }

  /** As of {@link LineFramer}. */
  makePlace(): Buffer | undefined {
    return this.framer instanceof LineFramer ? this.framer.makePlace() : undefined;
  }

  /** The stream is closed. */
  close(): void {
    if (this.framer instanceof LineFramer) this.framer.close();
  }

  private earlyLine(line: Buffer, isLast?: boolean): void {
    const length = contentLength(line);
    if (length === undefined) {
      if (line[0] === OPEN_BRACE)
        this.decide('lines', new LineFramer(this.sink, this.maxLineBytes, this.options));
      this.sink.line(line, isLast);
    } else {
      this.decide('headers', new HeaderFramer(this.sink, this.maxLineBytes, this.options, length));
    }
  }

  private decide(framing: Framing, framer: LineFramer | HeaderFramer): void {
    this.framing = framing;
    this.framer = framer;
  }
}
