import { compileValueEnd } from '../json/value-end.js';

const LEVELS = 200;

/** What the fast way of the compiled code makes of a text, without the other way behind it. */
export interface CompactReading {
  /** So many bytes were understood; -1 when the text was not taken. */
  readonly read: number;
  readonly isDone: boolean;
  /** So many objects were only compared with others. */
  readonly rows: number;
}

/** Reads the first `length` bytes of the text as the last piece of a value, behind pieces of `pieceBytes`. */
export function readCompact(
  text: string,
  length = Buffer.byteLength(text),
  pieceBytes = length,
): CompactReading {
  const exports = compileValueEnd();
  const start = exports.LINE_ROOM.value;
  Buffer.from(exports.memory.buffer, start).write(text);
  exports.beginCompact(LEVELS);
  let read = 0;
  for (let isLast = false; !isLast;) {
    isLast = read + pieceBytes >= length;
    const piece = exports.readCompact(start + read, isLast ? length - read : pieceBytes, isLast);
    if (piece <= 0) return { read: piece, isDone: false, rows: exports.rowsRead.value };
    read += piece;
  }
  return { read, isDone: exports.isCompactDone() === 1, rows: exports.rowsRead.value };
}
