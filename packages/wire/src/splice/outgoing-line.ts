/** A line that is assembled at its destination. It may be valid only until the end of the read scope. */
export interface UnassembledLine {
  /** The length in bytes, including the newline. */
  readonly length: number;
  /** The space that {@link writeTo} needs, in bytes. */
  readonly needed: number;
  /** Writes the line at `offset` and returns the offset after it. */
  writeTo(target: Buffer, offset: number): number;
  /** Returns the line in one piece, in separate memory. */
  whole(): Buffer;
}

/**
 * An outgoing line including its newline. It is in one piece, in several pieces that are not joined just for sending,
 * or not assembled yet. The last two may be valid only until the end of the read scope.
 */
export type OutgoingLine = Buffer | readonly Buffer[] | UnassembledLine;

/** Returns the line in one piece, in permanent memory. */
export function inOnePiece(line: OutgoingLine): Buffer {
  if (Buffer.isBuffer(line)) return line;
  return 'whole' in line ? line.whole() : Buffer.concat(line);
}
