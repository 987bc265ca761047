import { byteLength, copyTo, write, type EditBytes } from './edit-bytes.js';
import type { OutgoingLine } from './outgoing-line.js';
import type { Span } from './span.js';

/** One replacement in a line. */
export interface Edit {
  readonly span: Span;
  readonly bytes: EditBytes;
}

const NEWLINE = 0x0a;
const LINE_END = Buffer.of(NEWLINE);
/** Below this a copy is cheaper than several pieces. */
const WORTH_PIECES_BYTES = 4 * 1024;

/**
 * A line with edits made and a newline at its end; every other byte is the original's. It is put together where it is
 * needed: in the memory from which it is sent.
 *
 * The edits must not overlap. They may come in any order.
 */
export class SplicedLine {
  /** In bytes, newline included. */
  readonly length: number;
  private readonly edits: readonly Edit[];

  constructor(
    private readonly line: Buffer,
    edits: readonly Edit[],
  ) {
    this.edits = inOrder(edits);
    let length = line.length + 1;
    for (const { span, bytes } of edits) length += byteLength(bytes) - (span.end - span.start);
    this.length = length;
  }

  /** Writes the line to `out` at `at`. Returns the offset after it. */
  writeTo(out: Buffer, at: number): number {
    const { line } = this;
    let from = 0;
    let to = at;
    for (const { span, bytes } of this.edits) {
      to = copyTo(out, to, line, { start: from, end: span.start });
      to = write(out, to, bytes);
      from = span.end;
    }
    to = copyTo(out, to, line, { start: from, end: line.length });
    out[to] = NEWLINE;
    return to + 1;
  }

  /** The line in memory of its own. */
  whole(): Buffer {
    const out = Buffer.allocUnsafe(this.length);
    this.writeTo(out, 0);
    return out;
  }
}

/** The line with `edits` made, as {@link SplicedLine} has it, in memory of its own. */
export function splice(line: Buffer, edits: readonly Edit[]): Buffer {
  return new SplicedLine(line, edits).whole();
}

/**
 * The same for sending, not copied when it is long: fresh memory for a megabyte costs as much as sending it. The bytes
 * of `line` must not change before they are sent.
 */
export function splicedLine(line: Buffer, edits: readonly Edit[]): OutgoingLine {
  if (line.length < WORTH_PIECES_BYTES) return new SplicedLine(line, edits);
  const pieces: Buffer[] = [];
  let from = 0;
  for (const { span, bytes } of inOrder(edits)) {
    if (span.start > from) pieces.push(line.subarray(from, span.start));
    if (byteLength(bytes) > 0) pieces.push(Buffer.isBuffer(bytes) ? bytes : Buffer.from(String(bytes)));
    from = span.end;
  }
  pieces.push(line.subarray(from), LINE_END);
  return pieces;
}

function inOrder(edits: readonly Edit[]): readonly Edit[] {
  let last = 0;
  for (const { span } of edits) {
    if (span.start < last) return edits.toSorted((a, b) => a.span.start - b.span.start);
    last = span.start;
  }
  return edits;
}
