/** A line on its way to a peer, newline included: in one piece, or in several that are not joined only to be sent. */
export type OutgoingLine = Buffer | readonly Buffer[];

/** The line in one piece. */
export function inOnePiece(line: OutgoingLine): Buffer {
  return Buffer.isBuffer(line) ? line : Buffer.concat(line);
}
