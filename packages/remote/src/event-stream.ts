import { Parts, withoutMark } from '@mcpmux/wire';

import { joinShortParts, partsLength, type LineParts } from './line-parts.js';
import { RemoteError } from './remote-error.js';

/** Receives the events of an {@link EventStream} in stream order. */
export interface EventSink {
  /** Receives an event with data. Newlines separate the lines of its data. */
  event(data: LineParts, type: string): void;
  /** Receives an event's id, before the event itself. The stream can be resumed after this event. */
  id(id: string): void;
  /** Receives the server's requested delay before a reconnect, in milliseconds. */
  retry(delayMs: number): void;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const COLON = 0x3a;
const NEWLINE = Buffer.from('\n');
/** The length of the longest known field name. */
const MAX_FIELD_NAME_LENGTH = 'retry'.length;
const MAX_FIELD_OVERHEAD = 'retry: '.length;

/**
 * Splits a stream of server-sent events (WHATWG HTML, 9.2.6) into events without parsing their data. Lines end with LF,
 * CR or CRLF, even if a chunk ends between CR and LF. A final event without its empty line is dropped.
 */
export class EventStream {
  /** The part of an incomplete line received so far. */
  private readonly partialLine = new Parts();
  private readonly dataParts = new Parts();
  /** The number of bytes received for the current event. */
  private eventBytes = 0;
  private type = '';
  private id: string | undefined;
  private isFirstLine = true;
  private endedWithCarriageReturn = false;

  /** @param maxEventBytes the maximum size of an event, above which {@link push} throws */
  constructor(
    private readonly sink: EventSink,
    private readonly maxEventBytes: number,
  ) {}

  /** Parses the next bytes. An event's data may share memory with `chunk`. */
  push(chunk: Buffer): void {
    let start = this.endedWithCarriageReturn && chunk[0] === LINE_FEED ? 1 : 0;
    this.endedWithCarriageReturn = false;
    let carriage = chunk.indexOf(CARRIAGE_RETURN, start);
    for (;;) {
      const lineFeed = chunk.indexOf(LINE_FEED, start);
      const end = carriage !== -1 && (lineFeed === -1 || carriage < lineFeed) ? carriage : lineFeed;
      if (end === -1) break;
      this.handleLine(chunk.subarray(start, end));
      start = end + 1;
      if (end !== carriage) continue;
      if (start === chunk.length) this.endedWithCarriageReturn = true;
      else if (chunk[start] === LINE_FEED) start += 1;
      carriage = chunk.indexOf(CARRIAGE_RETURN, start);
    }
    if (start < chunk.length) this.storePartial(chunk.subarray(start));
  }

  private handleLine(rest: Buffer): void {
    let line = rest;
    let more: LineParts = [];
    if (!this.partialLine.isEmpty) {
      this.eventBytes -= this.partialLine.length;
      this.partialLine.push(rest);
      [line = rest, ...more] = joinShortParts(this.partialLine.all);
      this.partialLine.clear();
    }
    if (this.isFirstLine) {
      this.isFirstLine = false;
      line = withoutMark(line);
    }
    if (line.length === 0) this.dispatch();
    else this.handleField(line, more);
  }

  /** @param more later parts of the same line */
  private handleField(line: Buffer, more: LineParts): void {
    const colon = line.indexOf(COLON);
    const nameEnd = colon === -1 ? line.length : colon;
    // Comments count as well, so that a server cannot occupy mcpmux with an endless event.
    if (nameEnd === 0) return this.countBytes(line.length + partsLength(more));
    if (nameEnd > MAX_FIELD_NAME_LENGTH) return;
    const valueStart = nameEnd + 1;
    const value = line.subarray(line[valueStart] === SPACE ? valueStart + 1 : valueStart);
    const name = line.toString('latin1', 0, nameEnd);
    if (name === 'data') this.addDataLine(value, more);
    else this.applySetting(name, more.length === 0 ? value : Buffer.concat([value, ...more]));
  }

  private applySetting(name: string, value: Buffer): void {
    const text = value.toString();
    if (name === 'event') this.type = text;
    else if (name === 'id' && !value.includes(0)) this.id = text;
    else if (name === 'retry' && /^\d{1,9}$/.test(text)) this.sink.retry(Number(text));
  }

  private addDataLine(value: Buffer, more: LineParts): void {
    const previousLength = this.dataParts.length;
    const isFirst = this.dataParts.isEmpty;
    if (!isFirst) this.dataParts.push(NEWLINE);
    if (isFirst || value.length > 0) this.dataParts.push(value);
    for (const part of more) this.dataParts.push(part);
    this.countBytes(this.dataParts.length - previousLength);
  }

  private dispatch(): void {
    const { type, id } = this;
    const data = this.dataParts.isEmpty ? undefined : joinShortParts(this.dataParts.all);
    this.dataParts.clear();
    this.eventBytes = 0;
    this.type = '';
    this.id = undefined;
    if (id !== undefined) this.sink.id(id);
    if (data !== undefined) this.sink.event(data, type);
  }

  private storePartial(part: Buffer): void {
    this.partialLine.push(part);
    this.countBytes(part.length, -MAX_FIELD_OVERHEAD);
  }

  private countBytes(bytes: number, overhead = 0): void {
    this.eventBytes += bytes;
    if (this.eventBytes + overhead > this.maxEventBytes) throw messageTooLongError(this.maxEventBytes);
  }
}

/** Creates the error for a message that exceeds the size limit. */
export function messageTooLongError(maxBytes: number): RemoteError {
  return new RemoteError(`it sends a message above the limit of ${maxBytes} bytes`);
}
