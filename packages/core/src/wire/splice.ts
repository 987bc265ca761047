import type { OutgoingLine } from './outgoing-line.js';
import type { Span } from './span.js';

/** One replacement in a line. */
export interface Edit {
  readonly span: Span;
  readonly bytes: Buffer;
}

const NEWLINE = 0x0a;
const LINE_END = Buffer.of(NEWLINE);
/** Below this a loop is cheaper than a call into the runtime. */
const COPY_BY_HAND_BYTES = 64;
/** Below this a copy is cheaper than several pieces. */
const WORTH_PIECES_BYTES = 4 * 1024;

/**
 * The line with `edits` made and a newline at its end; every other byte is the original's.
 *
 * The edits must not overlap. They may come in any order.
 */
export function splice(line: Buffer, edits: readonly Edit[]): Buffer {
  const ordered = inOrder(edits);
  let length = line.length + 1;
  for (const { span, bytes } of ordered) length += bytes.length - (span.end - span.start);
  const out = Buffer.allocUnsafe(length);
  let from = 0;
  let to = 0;
  for (const { span, bytes } of ordered) {
    to = copyTo(out, to, line, { start: from, end: span.start });
    to = copyTo(out, to, bytes, { start: 0, end: bytes.length });
    from = span.end;
  }
  to = copyTo(out, to, line, { start: from, end: line.length });
  out[to] = NEWLINE;
  return out;
}

/**
 * The same, not copied when it is long: fresh memory for a megabyte costs as much as sending it. The bytes of `line`
 * must not change before they are sent.
 */
export function splicedLine(line: Buffer, edits: readonly Edit[]): OutgoingLine {
  if (line.length < WORTH_PIECES_BYTES) return splice(line, edits);
  const pieces: Buffer[] = [];
  let from = 0;
  for (const { span, bytes } of inOrder(edits)) {
    if (span.start > from) pieces.push(line.subarray(from, span.start));
    if (bytes.length > 0) pieces.push(bytes);
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

/** Copies the bytes of `span` to `out` at `to`. Returns the offset after the copy. */
function copyTo(out: Buffer, to: number, source: Buffer, { start, end }: Span): number {
  if (end - start > COPY_BY_HAND_BYTES) return to + source.copy(out, to, start, end);
  for (let at = start; at < end; at += 1, to += 1) out[to] = source[at] as number;
  return to;
}
