import type { Span } from './span.js';

/** One replacement in a line. */
export interface Edit {
  readonly span: Span;
  readonly bytes: Buffer;
}

const NEWLINE = 0x0a;

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
    to += line.copy(out, to, from, span.start);
    to += bytes.copy(out, to);
    from = span.end;
  }
  to += line.copy(out, to, from);
  out[to] = NEWLINE;
  return out;
}
