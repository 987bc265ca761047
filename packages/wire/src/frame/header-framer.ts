import { firstBytes, lastBytes, LineFramer, type LineFramerOptions, type LineSink } from './line-framer.js';
import { Parts } from './parts.js';

const CONTENT_LENGTH = /^content-length[ \t]*:[ \t]*(\d{1,15})[ \t]*$/i;
const HEADER = /^content-(?:length|type)[ \t]*:/i;
const NEWLINE = 0x0a;
const SPACE = 0x20;
const EMPTY = Buffer.alloc(0);

/** Returns the length that a header line announces, in bytes, or undefined for any other line. */
export function contentLength(line: Buffer): number | undefined {
  // No header is longer than this, and the check must not decode a body.
  const digits = line.length > 64 ? undefined : CONTENT_LENGTH.exec(line.toString('latin1'))?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** A message whose bytes are being collected. */
interface Body {
  readonly length: number;
  missing: number;
  readonly parts: Parts;
  /** The beginning and the end of the message, in case it exceeds the limit. */
  head: Buffer;
  tail: Buffer;
}

/**
 * Splits a byte stream into messages with `Content-Length: n` and an empty line before each message, as in the Language
 * Server Protocol. Newlines inside a message become spaces, so that every message is one line.
 *
 * Text between messages that is not such a header goes to the sink as a separate line. It is garbage, or a message
 * without headers. A message above `maxLineBytes` is discarded while it arrives.
 */
export class HeaderFramer {
  private readonly lines: LineFramer;
  private announced: number | undefined;
  private body: Body | undefined;

  /** @param announced the length from a header that was already read */
  constructor(
    private readonly sink: LineSink,
    private readonly maxLineBytes: number,
    private readonly options: LineFramerOptions,
    announced: number,
  ) {
    this.announced = announced;
    this.lines = new LineFramer(
      {
        line: (line, isLast) => this.header(line, isLast),
        oversized: (line, isLast) => sink.oversized(line, isLast),
      },
      maxLineBytes,
      { ...options, onBlank: () => this.headersEnded() },
    );
  }

  /** Like `push` of {@link LineFramer}. Each header line is one line, and so is each message. */
  push(chunk: Buffer, maxLines = Infinity): Buffer | undefined {
    let rest: Buffer | undefined = chunk;
    for (let count = 0; rest !== undefined && count < maxLines; count += 1) {
      rest = this.body === undefined ? this.lines.push(rest, 1) : this.take(this.body, rest);
    }
    return rest;
  }

  /** Called when the stream has ended. An incomplete message is lost, and text between messages is a line. */
  end(): void {
    this.lines.end();
  }

  /** Like `makePlace` of {@link LineFramer}. Always undefined, because the bytes of a message are always copied. */
  makePlace(): undefined {
    return undefined;
  }

  /** Called when the stream is closed. An incomplete message is discarded. */
  close(): void {
    this.body = undefined;
    this.lines.close();
  }

  private header(line: Buffer, isLast: boolean | undefined): void {
    const length = contentLength(line);
    if (length !== undefined) this.announced = length;
    else if (!HEADER.test(line.toString('latin1', 0, 64))) this.sink.line(line, isLast);
  }

  private headersEnded(): void {
    const length = this.announced;
    this.announced = undefined;
    if (length === undefined || length === 0) return;
    this.body = { length, missing: length, parts: new Parts(), head: EMPTY, tail: EMPTY };
    if (length > (this.options.maxRunawayBytes ?? Infinity)) this.options.onRunawayLine?.();
  }

  private take(body: Body, chunk: Buffer): Buffer | undefined {
    const part = chunk.subarray(0, body.missing);
    body.missing -= part.length;
    if (body.length > this.maxLineBytes) {
      body.head = firstBytes(body.head, part);
      body.tail = lastBytes(body.tail, part);
    } else body.parts.push(Buffer.from(part));
    if (body.missing === 0) {
      this.body = undefined;
      if (body.length > this.maxLineBytes) this.sink.oversized(body);
      else this.sink.line(onOneLine(body.parts.whole()));
    }
    return part.length < chunk.length ? chunk.subarray(part.length) : undefined;
  }
}

/**
 * Replaces newlines with spaces. In JSON a newline is white space, and inside a string it would be an error. Changes
 * `message`, which is a copy.
 */
function onOneLine(message: Buffer): Buffer {
  for (let at = message.indexOf(NEWLINE); at !== -1; at = message.indexOf(NEWLINE, at)) message[at] = SPACE;
  return message;
}
