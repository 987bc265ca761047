import { isUtf8 } from 'node:buffer';

import type { BorrowedLine } from '../pipe/borrowed-line.js';
import { PartialLine, type SlotsFor } from './partial-line.js';

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;
const EMPTY = Buffer.alloc(0);
/** The first byte of a UTF-8 byte order mark. */
const BYTE_ORDER_MARK_START = 0xef;
const BYTE_ORDER_MARK = Buffer.from([BYTE_ORDER_MARK_START, 0xbb, 0xbf]);
/** A chunk of at most this many bytes is copied as a whole. From a larger chunk, each line is copied separately. */
const MAX_WHOLE_COPY_BYTES = 8 * 1024;
/** The number of bytes kept from each end of an oversized line, to identify the request that it responds to. */
export const OVERSIZED_EXCERPT_BYTES = 1024;

/** Receives the lines from a {@link LineFramer}, in stream order. */
export interface LineSink {
  /**
   * Receives one line without its newline, carriage return or byte order mark. The line is never blank. `isLast` is
   * true if the stream ended without a newline, so the line may be incomplete.
   */
  line(line: BorrowedLine, isLast?: boolean): void;
  /** Called at the end of a line above the limit, which was discarded as it arrived. `isLast` is as for `line`. */
  oversized(line: OversizedLine, isLast?: boolean): void;
}

/** The length and both ends of a line above the limit. */
export interface OversizedLine {
  /** The length of the whole line, in bytes. */
  readonly length: number;
  /** The first {@link OVERSIZED_EXCERPT_BYTES} of the line, without a byte order mark. */
  readonly head: Buffer;
  /** The last {@link OVERSIZED_EXCERPT_BYTES} of the line. */
  readonly tail: Buffer;
}

/** Options of a {@link LineFramer}. */
export interface LineFramerOptions {
  /**
   * If true, a line is valid only within the read scope and until its chunk is overwritten. If false, lines are owned.
   */
  readonly borrowsLines?: boolean;
  /**
   * Returns the slots in which long borrowed lines are assembled. With slots, no chunk of any stream may arrive while
   * another chunk is being processed.
   */
  readonly slotsFor?: SlotsFor | undefined;
  /** Length, in bytes, above which a line proves that its peer is faulty. */
  readonly maxRunawayBytes?: number;
  /** Called once for each line that exceeds `maxRunawayBytes`. */
  readonly onRunawayLine?: () => void;
}

/**
 * Splits a byte stream into lines (MCP stdio transport: messages are delimited by newlines).
 *
 * Only new bytes are searched, and the parts of a line are joined once, when the line is complete. A line of n bytes
 * therefore costs O(n), regardless of its chunks. A line above `maxLineBytes` is discarded to its end, so memory stays
 * below the limit plus one chunk.
 *
 * Lines are copies unless they are borrowed, because the memory of a chunk belongs to its reader, which may overwrite
 * it with the next chunk.
 */
export class LineFramer {
  private readonly partialLine: PartialLine;
  private length = 0;
  private discardedExcerpt: { head: Buffer; tail: Buffer } | undefined;

  constructor(
    private readonly sink: LineSink,
    private readonly maxLineBytes: number,
    private readonly options: LineFramerOptions = {},
    private readonly onBlank?: () => void,
  ) {
    this.partialLine = new PartialLine(options.borrowsLines ? options.slotsFor : undefined);
  }

  /**
   * Consumes a chunk up to the end of its `maxLines`-th line, counting blank lines.
   *
   * @returns the rest of the chunk, or undefined if the whole chunk was consumed
   */
  push(chunk: Buffer, maxLines = Infinity): Buffer | undefined {
    let whole = this.options.borrowsLines ? chunk : undefined;
    if (maxLines > 1 && chunk.length <= MAX_WHOLE_COPY_BYTES) whole ??= Buffer.from(chunk);
    let start = 0;
    let lines = 0;
    let newline = chunk.indexOf(NEWLINE);
    while (newline !== -1) {
      if (this.length > 0 || newline - start > this.maxLineBytes) {
        this.append(chunk.subarray(start, newline));
        this.endLine();
      } else {
        this.deliver(whole?.subarray(start, newline) ?? Buffer.from(chunk.subarray(start, newline)), false);
      }
      start = newline + 1;
      lines += 1;
      if (lines >= maxLines) return start < chunk.length ? chunk.subarray(start) : undefined;
      newline = chunk.indexOf(NEWLINE, start);
    }
    if (start < chunk.length) this.append(chunk.subarray(start));
    return undefined;
  }

  /** Called when the stream has ended. Any bytes after the last newline are passed on as a line. */
  end(): void {
    if (this.length > 0) this.endLine(true);
  }

  /**
   * Returns the buffer for the next read, or undefined if any buffer is suitable. Must be called after the read scope,
   * because until then this memory may contain other lines.
   */
  nextReadBuffer(): Buffer | undefined {
    return this.partialLine.slotLine?.nextReadBuffer();
  }

  /** Called when the stream is closed. An incomplete line is discarded. */
  close(): void {
    this.length = 0;
    this.discardedExcerpt = undefined;
    this.partialLine.clear();
  }

  private append(part: Buffer): void {
    const previousLength = this.length;
    this.length += part.length;
    if (this.discardedExcerpt !== undefined) {
      const { head, tail } = this.discardedExcerpt;
      this.discardedExcerpt = { head: extendHead(head, part), tail: extendTail(tail, part) };
    } else {
      this.partialLine.add(part);
      if (this.length > this.maxLineBytes) {
        const pieces = this.partialLine.pieces();
        this.discardedExcerpt = {
          head: pieces.reduce(extendHead, EMPTY),
          tail: pieces.reduce(extendTail, EMPTY),
        };
        this.partialLine.clear();
      }
    }
    const { maxRunawayBytes = Infinity, onRunawayLine } = this.options;
    if (previousLength <= maxRunawayBytes && this.length > maxRunawayBytes) onRunawayLine?.();
  }

  private endLine(isLast = false): void {
    const { length, discardedExcerpt } = this;
    this.length = 0;
    this.discardedExcerpt = undefined;
    if (discardedExcerpt === undefined)
      return this.partialLine.finishLine((line) => this.deliver(line, isLast));
    const { head, tail } = discardedExcerpt;
    this.sink.oversized({ length, head: withoutMark(head), tail }, isLast);
  }

  private deliver(bytes: Buffer, isLast: boolean): void {
    let line = bytes[0] === BYTE_ORDER_MARK_START ? withoutMark(bytes) : bytes;
    if (line[line.length - 1] === CARRIAGE_RETURN) line = line.subarray(0, -1);
    if (line[0] === undefined || (line[0] <= SPACE && isBlank(line))) this.onBlank?.();
    else this.sink.line(line, isLast);
  }
}

/** Returns the first {@link OVERSIZED_EXCERPT_BYTES} of `kept` followed by `added`. */
export function extendHead(kept: Buffer, added: Buffer): Buffer {
  if (kept.length >= OVERSIZED_EXCERPT_BYTES) return kept;
  return Buffer.concat([kept, added.subarray(0, OVERSIZED_EXCERPT_BYTES - kept.length)]);
}

/** Returns the last {@link OVERSIZED_EXCERPT_BYTES} of `kept` followed by `added`. */
export function extendTail(kept: Buffer, added: Buffer): Buffer {
  if (added.length >= OVERSIZED_EXCERPT_BYTES) return Buffer.from(added.subarray(-OVERSIZED_EXCERPT_BYTES));
  return Buffer.from(Buffer.concat([kept, added]).subarray(-OVERSIZED_EXCERPT_BYTES));
}

/**
 * Returns the line if it is valid UTF-8. Otherwise returns a copy in which U+FFFD replaces invalid bytes, because a
 * strict reader would end its session at a single invalid byte.
 */
export function asUtf8(line: Buffer): Buffer {
  return isUtf8(line) ? line : Buffer.from(line.toString('utf8'));
}

/** Returns the text without a leading byte order mark, as a view of the same memory. */
export function withoutMark(text: Buffer): Buffer {
  return text[0] === BYTE_ORDER_MARK_START && text.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
    ? text.subarray(BYTE_ORDER_MARK.length)
    : text;
}

function isBlank(line: Buffer): boolean {
  return line.every((byte) => byte === SPACE || byte === TAB || byte === CARRIAGE_RETURN);
}
