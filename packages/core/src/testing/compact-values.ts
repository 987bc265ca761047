import { compileValueEnd } from '../wire/value-end.js';

const LEVELS = 200;

/** What the fast way of the compiled code makes of a text, without the other way behind it. */
export interface CompactReading {
  /** So many bytes were understood; -1 when the text was not taken. */
  readonly read: number;
  readonly isDone: boolean;
  /** So many objects had the shape that was learned last. */
  readonly rows: number;
}

/** Reads the first `length` bytes of the text as the last piece of a value. */
export function readCompact(text: string, length = Buffer.byteLength(text)): CompactReading {
  const exports = compileValueEnd();
  const start = exports.LINE_ROOM.value;
  Buffer.from(exports.memory.buffer, start).write(text);
  exports.beginCompact(LEVELS);
  const read = exports.readCompact(start, length, true);
  return { read, isDone: exports.isCompactDone() === 1, rows: exports.rows.value };
}
