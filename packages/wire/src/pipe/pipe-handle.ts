import { writeSync, writevSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';

import { smallReadBuffer, largeReadBuffer } from './read-buffers.js';

/** The descriptions of the symbols under which Node.js stores the option `onread` of `net.Socket`. */
const BUFFER_SYMBOL_NAME = 'kBuffer';
const CALLBACK_SYMBOL_NAME = 'kBufferCb';
/**
 * The description of the symbol of the function that Node.js calls after each read to get the buffer for the next read.
 */
const NEXT_BUFFER_SYMBOL_NAME = 'kBufferGen';

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
export function createImmediateWrite(stream: Writable): ImmediateWrite | undefined {
  const descriptor = pipeHandleOf(stream)?.fd ?? -1;
  if (descriptor < 0) return undefined;
  return (pieces) => {
    // Data queued in the stream must be sent first. The descriptor of an ended stream may belong to another file.
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

/**
 * Takes the bytes of a read, which are valid until the next read begins. Returns the buffer for the next read, or
 * undefined if any buffer will do.
 */
export type ReadHandler = (piece: Buffer) => Buffer | undefined;

/**
 * Makes a pipe read into memory that all pipes share, and passes each piece to `take` immediately after its read. By
 * default, a stream allocates 64 KiB for each read and passes the data on through five calls.
 *
 * Uses the option `onread` of `net.Socket`, which is available only for new sockets. The sockets of a child process and
 * of stdin already exist, so the option is set where the constructor would set it. The stream otherwise works as before
 * (`pause`, `resume`, `end`, `close`), but emits `data` only for earlier reads.
 *
 * @returns false if the stream is not over a pipe, or if this Node.js version has other internals
 */
export function readIntoSharedMemory(input: Readable, take: ReadHandler): boolean {
  const handle = pipeHandleOf(input);
  const buffer = findSymbol(input, BUFFER_SYMBOL_NAME);
  const callback = findSymbol(input, CALLBACK_SYMBOL_NAME);
  const nextBuffer = findSymbol(input, NEXT_BUFFER_SYMBOL_NAME);
  if (handle?.useUserBuffer === undefined) return false;
  if (buffer === undefined || callback === undefined || nextBuffer === undefined) return false;
  const smallBuffer = smallReadBuffer();
  let defaultBuffer = smallBuffer;
  Object.assign(input, {
    [buffer]: smallBuffer,
    [callback]: (length: number, into: Buffer) => {
      // The buffer was filled, so there may be more data.
      if (length === smallBuffer.length && into === smallBuffer) defaultBuffer = largeReadBuffer();
      let next = defaultBuffer;
      try {
        next = take(into.subarray(0, length)) ?? defaultBuffer;
      } catch (error) {
        // If the host survives the exception, Node.js does not request a buffer and would read into this one again.
        if (into !== defaultBuffer) {
          Object.assign(input, { [buffer]: defaultBuffer, [nextBuffer]: null });
          handle.useUserBuffer?.(defaultBuffer);
        }
        throw error;
      }
      // Set only when the buffer changes, because the call would slow down each read.
      if (next !== into) Object.assign(input, { [nextBuffer]: provideBufferOnce(input, nextBuffer, next) });
      return true;
    },
  });
  handle.useUserBuffer(smallBuffer);
  // Only a socket with a buffer stops its handle when it is paused, and this socket may have been paused before.
  if (input.isPaused()) input.pause();
  return true;
}

/** Returns a function that returns `buffer` once and then removes itself, so that further reads use the same buffer. */
function provideBufferOnce(input: Readable, nextBuffer: symbol, buffer: Buffer): () => Buffer {
  return () => {
    Object.assign(input, { [nextBuffer]: null });
    return buffer;
  };
}

function findSymbol(stream: object, description: string): symbol | undefined {
  return Object.getOwnPropertySymbols(stream).find((symbol) => symbol.description === description);
}
