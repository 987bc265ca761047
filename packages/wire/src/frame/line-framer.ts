import type { BorrowedLine } from '../pipe/borrowed-line.js';
import { MARK_START, withoutMark } from './byte-order-mark.js';
import { PartialLine, type SlotsFor } from './partial-line.js';

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;
const EMPTY = Buffer.alloc(0);
/** A chunk below this is copied once, with all lines in it; of a larger one, each line is. */
const COPIED_WHOLE_BYTES = 8 * 1024;
/** Kept from both ends of an oversized line, to find out which request it answered. */
export const OVERSIZED_EXCERPT_BYTES = 1024;

/** Receives what a {@link LineFramer} finds, in the order of the stream. */
export interface LineSink {
  /**
   * One line without its newline, carriage return and byte order mark. Never blank. With `isLast` the stream has ended
   * where a newline should be, perhaps in the middle of the line.
   */
  line(line: BorrowedLine, isLast?: boolean): void;
  /** A line above the limit has ended; it was discarded as it came. `isLast` is as above. */
  oversized(line: OversizedLine, isLast?: boolean): void;
}

/** The parts that are kept of a line above the limit. */
export interface OversizedLine {
  /** Length of the whole line in bytes. */
  readonly length: number;
  /** Its first {@link OVERSIZED_EXCERPT_BYTES}, without a byte order mark. */
  readonly head: Buffer;
  /** Its last {@link OVERSIZED_EXCERPT_BYTES}. */
  readonly tail: Buffer;
}

/** Options of a {@link LineFramer}. */
export interface LineFramerOptions {
  /** Lines are valid until the end of the read scope, and as long as the memory of their chunk is. Otherwise they are owned. */
  readonly borrowsLines?: boolean;
  /**
   * The slots in which long borrowed lines come together. Chunks must come one after the other: none, of any stream, while
   * another one is taken.
   */
  readonly slotsFor?: SlotsFor | undefined;
  /** A blank line has come. */
  readonly onBlank?: () => void;
  /** A line above this many bytes will never be of use: its peer has gone mad. */
  readonly maxEndlessBytes?: number;
  /** A line has exceeded `maxEndlessBytes`; told once for each such line. */
  readonly onEndless?: () => void;
}

/**
 * Splits a byte stream into lines (MCP stdio transport: messages are delimited by newlines).
 *
 * Only new bytes are searched, and the parts of a line are joined once, when it is complete: a line of n bytes costs
 * O(n) however it was cut into chunks. Above `maxLineBytes` a line is discarded to its end, so memory stays below
 * the limit plus one chunk.
 *
 * Lines are copies, unless they are borrowed: the memory of a chunk belongs to its reader, who may read the next one into
 * it.
 */
export class LineFramer {
  private readonly partial: PartialLine;
  private length = 0;
  private discarding: { head: Buffer; tail: Buffer } | undefined;

  constructor(
    private readonly sink: LineSink,
    private readonly maxLineBytes: number,
    private readonly options: LineFramerOptions = {},
  ) {
    this.partial = new PartialLine(options.borrowsLines ? options.slotsFor : undefined);
  }

  /**
   * Takes a chunk, up to the end of its `maxLines`-th line (blank ones count).
   *
   * @returns the rest of the chunk that was not consumed; undefined when all was consumed
   */
  push(chunk: Buffer, maxLines = Infinity): Buffer | undefined {
    let whole = this.options.borrowsLines ? chunk : undefined;
    if (maxLines > 1 && chunk.length <= COPIED_WHOLE_BYTES) whole ??= Buffer.from(chunk);
    let start = 0;
    let lines = 0;
    let newline = chunk.indexOf(NEWLINE);
    while (newline !== -1) {
      if (this.length > 0 || newline - start > this.maxLineBytes) {
        this.take(chunk.subarray(start, newline));
        this.endLine();
      } else {
        this.found(whole?.subarray(start, newline) ?? Buffer.from(chunk.subarray(start, newline)), false);
      }
      start = newline + 1;
      lines += 1;
      if (lines >= maxLines) return start < chunk.length ? chunk.subarray(start) : undefined;
      newline = chunk.indexOf(NEWLINE, start);
    }
    if (start < chunk.length) this.take(chunk.subarray(start));
    return undefined;
  }

  /** The stream has ended: what came after the last newline counts as a line. */
  end(): void {
    if (this.length > 0) this.endLine(true);
  }

  /**
   * The buffer for the next read; undefined when it makes no difference. To be asked after the read scope: other lines may
   * stand there.
   */
  makePlace(): Buffer | undefined {
    return this.partial.inSlot?.makePlace();
  }

  /** The stream is closed: what has come of a line is of no use. */
  close(): void {
    this.length = 0;
    this.discarding = undefined;
    this.partial.clear();
  }

  private take(part: Buffer): void {
    const before = this.length;
    this.length += part.length;
    if (this.discarding !== undefined) {
      const { head, tail } = this.discarding;
      this.discarding = { head: firstBytes(head, part), tail: lastBytes(tail, part) };
    } else {
      this.partial.add(part);
      if (this.length > this.maxLineBytes) {
        const pieces = this.partial.pieces();
        this.discarding = { head: pieces.reduce(firstBytes, EMPTY), tail: pieces.reduce(lastBytes, EMPTY) };
        this.partial.clear();
      }
    }
    const { maxEndlessBytes = Infinity, onEndless } = this.options;
    if (before <= maxEndlessBytes && this.length > maxEndlessBytes) onEndless?.();
  }

  private endLine(isLast = false): void {
    const { length, discarding } = this;
    this.length = 0;
    this.discarding = undefined;
    if (discarding === undefined) return this.partial.take((line) => this.found(line, isLast));
    const { head, tail } = discarding;
    this.sink.oversized({ length, head: withoutMark(head), tail }, isLast);
  }

  private found(bytes: Buffer, isLast: boolean): void {
    let line = bytes[0] === MARK_START ? withoutMark(bytes) : bytes;
    if (line[line.length - 1] === CARRIAGE_RETURN) line = line.subarray(0, -1);
    if (line[0] === undefined || (line[0] <= SPACE && isBlank(line))) this.options.onBlank?.();
    else this.sink.line(line, isLast);
  }
}

/** The first {@link OVERSIZED_EXCERPT_BYTES} of `kept` and what was added to it. */
export function firstBytes(kept: Buffer, added: Buffer): Buffer {
  if (kept.length >= OVERSIZED_EXCERPT_BYTES) return kept;
  return Buffer.concat([kept, added.subarray(0, OVERSIZED_EXCERPT_BYTES - kept.length)]);
}

/** The last of them. */
export function lastBytes(kept: Buffer, added: Buffer): Buffer {
  if (added.length >= OVERSIZED_EXCERPT_BYTES) return Buffer.from(added.subarray(-OVERSIZED_EXCERPT_BYTES));
  return Buffer.from(Buffer.concat([kept, added]).subarray(-OVERSIZED_EXCERPT_BYTES));
}

function isBlank(line: Buffer): boolean {
  return line.every((byte) => byte === SPACE || byte === TAB || byte === CARRIAGE_RETURN);
}
