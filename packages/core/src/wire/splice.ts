import type { Span } from './span.js';

/** One replacement in a line. */
export interface Edit {
  readonly span: Span;
  readonly bytes: Buffer;
}

const NEWLINE = 0x0a;
/** Below this a loop is cheaper than a call into the runtime. */
const COPY_BY_HAND_BYTES = 64;

/**
 * The line with `edits` made and a newline at its end; every other byte is the original's.
 *
 * The edits must not overlap. They may come in any order.
 */
export function splice(line: Buffer, edits: readonly Edit[]): Buffer {
  const ordered = edits.length > 1 ? edits.toSorted((a, b) => a.span.start - b.span.start) : edits;
  let length = line.length + 1;
  for (const { span, bytes } of ordered) length += bytes.length - (span.end - span.start);
  const out = Buffer.allocUnsafe(length);
  let from = 0;
  let to = 0;
  for (const { span, bytes } of ordered) {
    to = copyRange(line, from, span.start, out, to);
    to = copyRange(bytes, 0, bytes.length, out, to);
    from = span.end;
  }
  to = copyRange(line, from, line.length, out, to);
  out[to] = NEWLINE;
  return out;
}

/** Copies `[start, end)` of `source` to `out` at `to`. Returns the offset after the copy. */
function copyRange(source: Buffer, start: number, end: number, out: Buffer, to: number): number {
  if (end - start > COPY_BY_HAND_BYTES) return to + source.copy(out, to, start, end);
  for (let at = start; at < end; at += 1, to += 1) out[to] = source[at] as number;
  return to;
}
