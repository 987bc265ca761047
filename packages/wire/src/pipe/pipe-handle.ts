import { writeSync, writevSync } from 'node:fs';
import type { Writable } from 'node:stream';

/** The Node.js object for a stream over a pipe. Its members are undocumented, so each may be missing. */
export interface PipeHandle {
  /** The file descriptor. -1 on Windows. */
  readonly fd?: number;
  /** Makes Node.js read everything into `buffer` from now on. */
  readonly useUserBuffer?: (buffer: Buffer) => void;
  /** The number of bytes in incomplete writes. */
  readonly writeQueueSize?: number;
}

/**
 * Returns the handle of a stream over a pipe or a Unix socket, which includes the standard streams of processes.
 * Returns undefined for all other streams, especially TLS, whose descriptor transfers encrypted bytes.
 */
export function pipeHandleOf(stream: object): PipeHandle | undefined {
  // oxlint-disable-next-line no-underscore-dangle -- Node.js defines this name
  const handle = (stream as { readonly _handle?: object | null })._handle;
  return handle?.constructor.name === 'Pipe' ? handle : undefined;
}

/**
 * Writes to the descriptor directly, without the stream. Returns the number of bytes that the peer accepted at once.
 */
export type ImmediateWrite = (pieces: readonly Buffer[]) => number;

/**
 * Returns a function that writes to the descriptor of a pipe. The function blocks no longer than the stream would,
 * because it makes the same system call without the overhead of the stream. Remaining bytes and errors are left to the
 * stream, which makes the same call again.
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
