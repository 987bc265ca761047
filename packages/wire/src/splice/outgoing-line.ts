/** A line that is put together where it is needed. It may be gone at the end of the read scope. */
export interface UnassembledLine {
  /** In bytes, newline included. */
  readonly length: number;
  /** Space that {@link writeTo} needs, in bytes. */
  readonly needed: number;
  /** Writes the line at `offset` and gives the offset behind it. */
  writeTo(target: Buffer, offset: number): number;
  /** The line in one piece, in memory of its own. */
  whole(): Buffer;
}

/**
 * A line on its way to a peer, newline included: in one piece, in several that are not joined only to be sent, or not
 * put together yet. The last two may be gone at the end of the read scope.
 */
export type OutgoingLine = Buffer | readonly Buffer[] | UnassembledLine;

/** The line in one piece, in memory that stays. */
export function inOnePiece(line: OutgoingLine): Buffer {
  if (Buffer.isBuffer(line)) return line;
  return 'whole' in line ? line.whole() : Buffer.concat(line);
}
