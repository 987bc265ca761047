import { extendHead, extendTail, LineFramer, type LineFramerOptions, type LineSink } from './line-framer.js';
import { Parts } from './parts.js';

const CONTENT_LENGTH_HEADER = /^content-length[ \t]*:[ \t]*(\d{1,15})[ \t]*$/i;
const CONTENT_HEADER = /^content-(?:length|type)[ \t]*:/i;
const NEWLINE = 0x0a;
const SPACE = 0x20;
const EMPTY = Buffer.alloc(0);

/** Returns the length in bytes from a `Content-Length` header, or undefined for any other line. */
export function parseContentLength(line: Buffer): number | undefined {
  // A longer line is not decoded, because it is not a header and may be a message body.
  const digits = line.length > 64 ? undefined : CONTENT_LENGTH_HEADER.exec(line.toString('latin1'))?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** A message whose bytes are being collected. */
interface PartialMessage {
  readonly length: number;
  remainingBytes: number;
  readonly parts: Parts;
  /** The first and last bytes of the message, kept in case the message exceeds the limit. */
  head: Buffer;
  tail: Buffer;
}

/**
 * Splits a byte stream in which `Content-Length: n` and an empty line precede each message, as in the Language Server
 * Protocol. Newlines inside a message become spaces, so that every message is one line.
 *
 * Other text between messages is passed to the sink as lines, because it may be a message without headers. A message
 * above `maxLineBytes` is discarded as it arrives.
 */
export class HeaderFramer {
  private readonly lineFramer: LineFramer;
  private announcedLength: number | undefined;
  private partialMessage: PartialMessage | undefined;

  /** @param announcedLength the length from a header that has already been read */
  constructor(
    private readonly sink: LineSink,
    private readonly maxLineBytes: number,
    private readonly options: LineFramerOptions,
    announcedLength: number,
  ) {
    this.announcedLength = announcedLength;
    this.lineFramer = new LineFramer(
      {
        line: (line, isLast) => this.handleHeaderLine(line, isLast),
        oversized: (line, isLast) => sink.oversized(line, isLast),
      },
      maxLineBytes,
      options,
      () => this.beginMessage(),
    );
  }

  /** Like `push` of {@link LineFramer}. Each header line and each message counts as one line. */
  push(chunk: Buffer, maxLines = Infinity): Buffer | undefined {
    let rest: Buffer | undefined = chunk;
    for (let count = 0; rest !== undefined && count < maxLines; count += 1) {
      rest =
        this.partialMessage === undefined
          ? this.lineFramer.push(rest, 1)
          : this.collectBytes(this.partialMessage, rest);
    }
    return rest;
  }

  /** Called when the stream has ended. An incomplete message is lost. Text after the last message becomes a line. */
  end(): void {
    this.lineFramer.end();
  }

  /** Like `nextReadBuffer` of {@link LineFramer}. Always undefined, because message bytes are always copied. */
  nextReadBuffer(): undefined {
    return undefined;
  }

  /** Called when the stream is closed. An incomplete message is discarded. */
  close(): void {
    this.partialMessage = undefined;
    this.lineFramer.close();
  }

  private handleHeaderLine(line: Buffer, isLast: boolean | undefined): void {
    const length = parseContentLength(line);
    if (length !== undefined) this.announcedLength = length;
    else if (!CONTENT_HEADER.test(line.toString('latin1', 0, 64))) this.sink.line(line, isLast);
  }

  private beginMessage(): void {
    const length = this.announcedLength;
    this.announcedLength = undefined;
    if (length === undefined || length === 0) return;
    this.partialMessage = { length, remainingBytes: length, parts: new Parts(), head: EMPTY, tail: EMPTY };
    if (length > (this.options.maxRunawayBytes ?? Infinity)) this.options.onRunawayLine?.();
  }

  private collectBytes(body: PartialMessage, chunk: Buffer): Buffer | undefined {
    const part = chunk.subarray(0, body.remainingBytes);
    body.remainingBytes -= part.length;
    if (body.length > this.maxLineBytes) {
      body.head = extendHead(body.head, part);
      body.tail = extendTail(body.tail, part);
    } else body.parts.push(Buffer.from(part));
    if (body.remainingBytes === 0) {
      this.partialMessage = undefined;
      if (body.length > this.maxLineBytes) this.sink.oversized(body);
      else this.sink.line(replaceNewlines(body.parts.whole()));
    }
    return part.length < chunk.length ? chunk.subarray(part.length) : undefined;
  }
}

/** Replaces newlines with spaces in `message`, which is a copy. In valid JSON, a newline is always white space. */
function replaceNewlines(message: Buffer): Buffer {
  for (let at = message.indexOf(NEWLINE); at !== -1; at = message.indexOf(NEWLINE, at)) message[at] = SPACE;
  return message;
}
