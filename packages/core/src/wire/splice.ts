import type { OutgoingLine } from './outgoing-line.js';
import type { Span } from './span.js';

/** One replacement in a line: by bytes, or by a text. */
export interface Edit {
  readonly span: Span;
  readonly bytes: Buffer | string;
}

const NEWLINE = 0x0a;
const LINE_END = Buffer.of(NEWLINE);
/** Below this a loop is cheaper than a call into the runtime. */
const COPY_BY_HAND_BYTES = 64;
/** Below this a copy is cheaper than several pieces. */
const WORTH_PIECES_BYTES = 4 * 1024;
const LAST_ASCII = 0x7f;

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
      to = copyTo(out, to, line, from, span.start);
      to = typeof bytes === 'string' ? writeText(out, to, bytes) : copyTo(out, to, bytes, 0, bytes.length);
      from = span.end;
    }
    to = copyTo(out, to, line, from, line.length);
    out[to] = NEWLINE;
    return to + 1;
  }
}

/** The line with `edits` made, as {@link SplicedLine} has it, in memory of its own. */
export function splice(line: Buffer, edits: readonly Edit[]): Buffer {
  const spliced = new SplicedLine(line, edits);
  const out = Buffer.allocUnsafe(spliced.length);
  spliced.writeTo(out, 0);
  return out;
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
    if (bytes.length > 0) pieces.push(typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
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

/** Copies a part of `source` to `out` at `to`. Returns the offset after the copy. */
// oxlint-disable-next-line max-params -- two places, for which a loop over bytes should make no objects
function copyTo(out: Buffer, to: number, source: Buffer, start: number, end: number): number {
  if (end - start > COPY_BY_HAND_BYTES) return to + source.copy(out, to, start, end);
  for (let at = start; at < end; at += 1, to += 1) out[to] = source[at] as number;
  return to;
}

/** Writes a text to `out` at `to`. Returns the offset after it. */
function writeText(out: Buffer, to: number, text: string): number {
  if (text.length > COPY_BY_HAND_BYTES) return to + out.write(text, to);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > LAST_ASCII) return to + out.write(text, to);
    out[to + at] = code;
  }
  return to + text.length;
}

function byteLength(bytes: Buffer | string): number {
  return typeof bytes === 'string' && !isShortAscii(bytes) ? Buffer.byteLength(bytes) : bytes.length;
}

function isShortAscii(text: string): boolean {
  if (text.length > COPY_BY_HAND_BYTES) return false;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > LAST_ASCII) return false;
  return true;
}
