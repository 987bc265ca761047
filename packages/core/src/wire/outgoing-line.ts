import type { SplicedLine } from './splice.js';

/**
 * A line on its way to a peer, newline included: in one piece, in several that are not joined only to be sent, or not
 * put together yet. The last two may be gone when the turn is over.
 */
export type OutgoingLine = Buffer | readonly Buffer[] | SplicedLine;

/** The line in one piece, which may be kept longer than a turn. */
export function inOnePiece(line: OutgoingLine): Buffer {
  if (Buffer.isBuffer(line)) return line;
  return isInPieces(line) ? Buffer.concat(line) : line.whole();
}

/** Whether the line comes in several pieces. */
export function isInPieces(line: OutgoingLine): line is readonly Buffer[] {
  return Array.isArray(line);
}
