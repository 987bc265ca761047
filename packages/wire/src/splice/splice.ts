import type { Span } from '../json/span.js';

/** A line that is assembled at its destination. It may be valid only until the end of the read scope. */
export interface UnassembledLine {
  /** The length in bytes, including the newline. */
  readonly length: number;
  /** The space that {@link writeTo} needs, in bytes. */
  readonly needed: number;
  /** Writes the line at `offset` and returns the offset after it. */
  writeTo(target: Buffer, offset: number): number;
  /** Returns the line as one buffer in separate memory. */
  whole(): Buffer;
}

/**
 * An outgoing line, including its newline: one buffer, several buffers that are not worth joining, or a line that has
 * not been assembled yet. The last two may be valid only until the end of the read scope.
 */
export type OutgoingLine = Buffer | readonly Buffer[] | UnassembledLine;

/** Returns the line as one buffer in permanent memory. */
export function inOnePiece(line: OutgoingLine): Buffer {
  if (Buffer.isBuffer(line)) return line;
  return 'whole' in line ? line.whole() : Buffer.concat(line);
}

/** One replacement in a line. */
export interface Edit {
  readonly span: Span;
  /**
   * The new text: bytes, a string, or a nonnegative integer that is written in decimal digits. An integer is not passed
   * as a string, because V8 would cache the strings of thousands of ids beyond the end of their calls.
   */
  readonly bytes: Buffer | string | number;
}

const NEWLINE = 0x0a;
const LINE_END = Buffer.of(NEWLINE);
const ZERO = 0x30;
const DECIMAL_BASE = 10;
const LAST_ASCII = 0x7f;
/** The longest string, in characters, for which a loop is cheaper than a call into the runtime. */
const MAX_SHORT_TEXT_LENGTH = 64;
/** Below this size, copying is cheaper than sending several pieces, each of which needs a view and a vector element. */
export const MIN_PIECES_BYTES = 16 * 1024;

/**
 * A line with edits and a trailing newline. It is assembled in the memory from which it is sent. Suited to short lines,
 * because each edit may move the bytes after it.
 *
 * The edits may be in any order, but must not overlap.
 */
export class SplicedLine {
  /** The length in bytes, including the newline. */
  readonly length: number;
  /**
   * The number of bytes that {@link writeTo} needs. It can exceed the length, because edits that lengthen the line may
   * come before edits that shorten it.
   */
  readonly needed: number;
  private readonly edits: readonly Edit[];

  constructor(
    private readonly line: Buffer,
    edits: readonly Edit[],
  ) {
    this.length = line.length + 1;
    this.needed = line.length + 1;
    let last = 0;
    let isInOrder = true;
    for (const { span, bytes } of edits) {
      const growth = byteLength(bytes) - (span.end - span.start);
      this.length += growth;
      if (growth > 0) this.needed += growth;
      if (span.start < last) isInOrder = false;
      last = span.start;
    }
    this.edits = isInOrder ? edits : sortEdits(edits);
  }

  /** Writes the line to `target` at `at`. Returns the offset after it. */
  writeTo(target: Buffer, at: number): number {
    const { line } = this;
    // Copies the whole line, then moves bytes for each edit. Copying piece by piece would need a view per piece, which
    // costs more than both steps.
    target.set(line, at);
    let shift = at;
    for (const { span, bytes } of this.edits) {
      const length = byteLength(bytes);
      const growth = length - (span.end - span.start);
      const replacedEnd = shift + span.end;
      if (growth !== 0) target.copyWithin(replacedEnd + growth, replacedEnd, shift + line.length);
      writeBytes(target, shift + span.start, bytes, length);
      shift += growth;
    }
    const end = shift + line.length;
    target[end] = NEWLINE;
    return end + 1;
  }

  /** Returns the line in separate memory. */
  whole(): Buffer {
    const target = Buffer.allocUnsafe(this.needed);
    return target.subarray(0, this.writeTo(target, 0));
  }
}

/** Returns the line with `edits` applied, like {@link SplicedLine}, in separate memory. */
export function splice(line: Buffer, edits: readonly Edit[]): Buffer {
  const isShort = line.length < MIN_PIECES_BYTES;
  return isShort ? new SplicedLine(line, edits).whole() : Buffer.concat(splitIntoPieces(line, edits));
}

/**
 * Returns the edited line for sending. A long line is not copied, because allocating a megabyte costs as much as
 * sending it. The bytes of `line` must not change before they are sent.
 */
export function splicedLine(line: Buffer, edits: readonly Edit[]): OutgoingLine {
  return line.length < MIN_PIECES_BYTES ? new SplicedLine(line, edits) : splitIntoPieces(line, edits);
}

function splitIntoPieces(line: Buffer, edits: readonly Edit[]): readonly Buffer[] {
  const pieces: Buffer[] = [];
  let from = 0;
  for (const { span, bytes } of sortEdits(edits)) {
    if (span.start > from) pieces.push(line.subarray(from, span.start));
    if (byteLength(bytes) > 0) pieces.push(Buffer.isBuffer(bytes) ? bytes : Buffer.from(String(bytes)));
    from = span.end;
  }
  pieces.push(line.subarray(from), LINE_END);
  return pieces;
}

function sortEdits(edits: readonly Edit[]): readonly Edit[] {
  return edits.toSorted((a, b) => a.span.start - b.span.start);
}

function byteLength(bytes: Edit['bytes']): number {
  if (typeof bytes === 'object') return bytes.length;
  if (typeof bytes === 'number') {
    let count = 1;
    for (let above = DECIMAL_BASE; bytes >= above; above *= DECIMAL_BASE) count += 1;
    return count;
  }
  if (bytes.length > MAX_SHORT_TEXT_LENGTH) return Buffer.byteLength(bytes);
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes.charCodeAt(at) > LAST_ASCII) return Buffer.byteLength(bytes);
  }
  return bytes.length;
}

/** Writes `bytes`, whose length is `length`, to `target` at `to`. */
function writeBytes(target: Buffer, to: number, bytes: Edit['bytes'], length: number): void {
  if (typeof bytes === 'object') return target.set(bytes, to);
  if (typeof bytes === 'number') {
    let left = bytes;
    for (let at = to + length - 1; at >= to; at -= 1) {
      const quotient = Math.floor(left / DECIMAL_BASE);
      target[at] = ZERO + (left - quotient * DECIMAL_BASE);
      left = quotient;
    }
  } else if (length > MAX_SHORT_TEXT_LENGTH || length !== bytes.length) target.write(bytes, to);
  // Equal byte and character counts mean that all characters are ASCII.
  else for (let at = 0; at < length; at += 1) target[to + at] = bytes.charCodeAt(at);
}
