import { writeSync, writevSync } from 'node:fs';
import type { Writable } from 'node:stream';

import { pipeHandleOf } from './pipe-handle.js';

/**
 * Writes to the descriptor directly, without the stream. Returns the number of bytes that the peer accepted at once.
 */
export type ImmediateWrite = (pieces: readonly Buffer[]) => number;

/**
 * Returns a function that writes to the descriptor of a pipe. It blocks no more than the stream would, because it uses
 * the same system call without the overhead of the stream. Remaining bytes and errors are left to the stream, which
 * makes the same call again.
 *
 * @returns undefined if the stream is not over a pipe
 */
export function immediateWrite(stream: Writable): ImmediateWrite | undefined {
  const descriptor = pipeHandleOf(stream)?.fd ?? -1;
  if (descriptor < 0) return undefined;
  return (pieces) => {
    // Data that is queued in the stream must be sent first. After the stream has ended, the descriptor may belong to
    // another file.
    if (stream.writableLength > 0 || !stream.writable) return 0;
    try {
      const [only] = pieces;
      return pieces.length === 1 && only !== undefined
        ? writeSync(descriptor, only)
        : writevSync(descriptor, pieces);
    } catch {
      return 0;
    }
  };
}
