import { Parts, withoutMark } from '@mcpmux/wire';

import { lineParts, partsLength, type LineParts } from './line-parts.js';
import { RemoteError } from './remote-error.js';

/** Receives the events of an {@link EventStream} in stream order. */
export interface EventSink {
  /** Receives an event with data. The lines of its data are joined by newlines. */
  event(data: LineParts, type: string): void;
  /** Receives the id of an event, before the event itself. The stream can be resumed after that event. */
  id(id: string): void;
  /** Receives the delay after which the server wants a reconnect when the stream has ended. */
  retry(delayMs: number): void;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const COLON = 0x3a;
const NEWLINE = Buffer.from('\n');
/** The longest name of a field that has a meaning. */
const LONGEST_FIELD = 'retry'.length;
const LONGEST_FIELD_START = 'retry: '.length;

/**
 * Splits a stream of server-sent events (WHATWG HTML, 9.2.6) into events without parsing their data. Lines end with LF,
 * CR or CRLF, regardless of chunk boundaries. An event without its empty line at the end of the stream is dropped.
 */
export class EventStream {
  /** The beginning of an incomplete line. */
  private readonly partial = new Parts();
  private readonly data = new Parts();
  /** The number of bytes in the current event. */
  private eventBytes = 0;
  private type = '';
  private id: string | undefined;
  private isFirstLine = true;
  private endedInReturn = false;

  /** @param maxEventBytes the maximum size of an event; {@link push} throws for a longer event */
  constructor(
    private readonly sink: EventSink,
    private readonly maxEventBytes: number,
  ) {}

  /** Takes the next bytes. The data of events may be parts of `chunk`. */
  push(chunk: Buffer): void {
    let start = this.endedInReturn && chunk[0] === LINE_FEED ? 1 : 0;
    this.endedInReturn = false;
    let carriage = chunk.indexOf(CARRIAGE_RETURN, start);
    for (;;) {
      const feed = chunk.indexOf(LINE_FEED, start);
      const end = carriage !== -1 && (feed === -1 || carriage < feed) ? carriage : feed;
      if (end === -1) break;
      this.ended(chunk.subarray(start, end));
      start = end + 1;
      if (end !== carriage) continue;
      if (start === chunk.length) this.endedInReturn = true;
      else if (chunk[start] === LINE_FEED) start += 1;
      carriage = chunk.indexOf(CARRIAGE_RETURN, start);
    }
    if (start < chunk.length) this.keepPartial(chunk.subarray(start));
  }

  private ended(rest: Buffer): void {
    let line = rest;
    let more: LineParts = [];
    if (!this.partial.isEmpty) {
      this.eventBytes -= this.partial.length;
      this.partial.push(rest);
      [line = rest, ...more] = lineParts(this.partial.all);
      this.partial.clear();
    }
    if (this.isFirstLine) {
      this.isFirstLine = false;
      line = withoutMark(line);
    }
    if (line.length === 0) this.dispatch();
    else this.field(line, more);
  }

  /** @param more further parts of the same line */
  private field(line: Buffer, more: LineParts): void {
    const colon = line.indexOf(COLON);
    const nameEnd = colon === -1 ? line.length : colon;
    // Comments are counted too, because a server must not keep mcpmux busy forever with an event that never ends.
    if (nameEnd === 0) return this.count(line.length + partsLength(more));
    if (nameEnd > LONGEST_FIELD) return;
    const begin = nameEnd + 1;
    const value = line.subarray(line[begin] === SPACE ? begin + 1 : begin);
    const name = line.toString('latin1', 0, nameEnd);
    if (name === 'data') this.dataLine(value, more);
    else this.setting(name, more.length === 0 ? value : Buffer.concat([value, ...more]));
  }

  private setting(name: string, value: Buffer): void {
    const text = value.toString();
    if (name === 'event') this.type = text;
    else if (name === 'id' && !value.includes(0)) this.id = text;
    else if (name === 'retry' && /^\d{1,9}$/.test(text)) this.sink.retry(Number(text));
  }

  private dataLine(value: Buffer, more: LineParts): void {
    const before = this.data.length;
    const isFirst = this.data.isEmpty;
    if (!isFirst) this.data.push(NEWLINE);
    if (isFirst || value.length > 0) this.data.push(value);
    for (const part of more) this.data.push(part);
    this.count(this.data.length - before);
  }

  private dispatch(): void {
    const { type, id } = this;
    const data = this.data.isEmpty ? undefined : lineParts(this.data.all);
    this.data.clear();
    this.eventBytes = 0;
    this.type = '';
    this.id = undefined;
    if (id !== undefined) this.sink.id(id);
    if (data !== undefined) this.sink.event(data, type);
  }

  private keepPartial(part: Buffer): void {
    this.partial.push(part);
    this.count(part.length, -LONGEST_FIELD_START);
  }

  private count(bytes: number, overhead = 0): void {
    this.eventBytes += bytes;
    if (this.eventBytes + overhead > this.maxEventBytes) throw tooLong(this.maxEventBytes);
  }
}

/** Returns the error for a message above the limit. */
export function tooLong(maxBytes: number): RemoteError {
  return new RemoteError(`it sends a message above the limit of ${maxBytes} bytes`);
}
