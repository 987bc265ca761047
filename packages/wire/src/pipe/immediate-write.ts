import { writeSync, writevSync } from 'node:fs';
import type { Writable } from 'node:stream';

import { pipeHandleOf } from './pipe-handle.js';

/** Writes without a detour through the stream. Returns how many bytes the peer took at once. */
export type ImmediateWrite = (pieces: readonly Buffer[]) => number;

/**
 * Writes to the descriptor of a pipe, which blocks no more than the stream would: it is the same system call, without
 * what the stream does around it. What is left, and every error, is for the stream: it makes the same call again.
 *
 * @returns undefined when the stream is not over a pipe
 */
export function immediateWrite(stream: Writable): ImmediateWrite | undefined {
  const descriptor = pipeHandleOf(stream)?.fd ?? -1;
  if (descriptor < 0) return undefined;
  return (pieces) => {
    // What waits in the stream comes first. After its end the descriptor is another's.
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
