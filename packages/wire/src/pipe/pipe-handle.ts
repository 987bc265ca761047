import { writeSync, writevSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';

import { smallReadBuffer, largeReadBuffer } from './read-buffers.js';

/** The descriptions of the symbols under which Node.js stores the `onread` option of `net.Socket`. */
const BUFFER_SYMBOL_NAME = 'kBuffer';
const CALLBACK_SYMBOL_NAME = 'kBufferCb';
/** The description of the symbol for the function that Node.js calls after each read to get the next read's buffer. */
const NEXT_BUFFER_SYMBOL_NAME = 'kBufferGen';

/** Node.js's internal object for a stream over a pipe. Its members are undocumented, so each may be missing. */
export interface PipeHandle {
  /** The file descriptor. -1 on Windows. */
  readonly fd?: number;
  /** Makes Node.js read everything into `buffer` from now on. */
  readonly useUserBuffer?: (buffer: Buffer) => void;
  /** The number of bytes that have been written to the stream but not yet sent. */
  readonly writeQueueSize?: number;
}

/**
 * Returns the handle of a stream over a pipe or a Unix socket, such as a process's standard streams. Returns undefined
 * for all other streams, including TLS streams, whose descriptors carry encrypted bytes.
 */
export function pipeHandleOf(stream: object): PipeHandle | undefined {
  // oxlint-disable-next-line no-underscore-dangle -- Node.js defines this name
  const handle = (stream as { readonly _handle?: object | null })._handle;
  return handle?.constructor.name === 'Pipe' ? handle : undefined;
}

/** Writes to the descriptor directly, bypassing the stream. Returns the number of bytes accepted. */
export type ImmediateWrite = (pieces: readonly Buffer[]) => number;

/**
 * Returns a function that writes directly to a pipe's descriptor. It blocks no longer than the stream would, because it
 * makes the same system call without the stream's overhead. The caller passes any remaining bytes to the stream, which
 * also reports errors.
 *
 * @returns undefined if the stream is not over a pipe
 */
export function createImmediateWrite(stream: Writable): ImmediateWrite | undefined {
  const descriptor = pipeHandleOf(stream)?.fd ?? -1;
  if (descriptor < 0) return undefined;
  return (pieces) => {
    // Data queued in the stream must be sent first. Once the stream has ended, its descriptor may belong to another
    // file.
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
 * Receives the bytes of a read, which are valid until the next read begins. Returns the buffer for the next read, or
 * undefined to use the default buffer.
 */
export type ReadHandler = (piece: Buffer) => Buffer | undefined;

/**
 * Makes a pipe read into memory that all pipes share, and passes each piece to `take` immediately after its read. By
 * default, a stream allocates 64 KiB for each read and passes the data on through five calls.
 *
 * Uses the `onread` option of `net.Socket`, which is documented only for new sockets. The sockets of a child process
 * and of stdin already exist, so this function sets the option where the constructor would. Otherwise the stream works
 * as before (`pause`, `resume`, `end`, `close`), but it emits `data` only for earlier reads.
 *
 * @returns false if the stream is not over a pipe, or if this Node.js version has different internals
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
      // A full buffer suggests that more data is waiting.
      if (length === smallBuffer.length && into === smallBuffer) defaultBuffer = largeReadBuffer();
      let next = defaultBuffer;
      try {
        next = take(into.subarray(0, length)) ?? defaultBuffer;
      } catch (error) {
        // If the host survives an exception, Node.js does not request a new buffer and would read into this one again.
        if (into !== defaultBuffer) {
          Object.assign(input, { [buffer]: defaultBuffer, [nextBuffer]: null });
          handle.useUserBuffer?.(defaultBuffer);
        }
        throw error;
      }
      // Set only when the buffer changes, because setting it on every read would be slow.
      if (next !== into) Object.assign(input, { [nextBuffer]: provideBufferOnce(input, nextBuffer, next) });
      return true;
    },
  });
  handle.useUserBuffer(smallBuffer);
  // Pausing stops the handle only for a socket with a buffer, and this socket may have been paused before it had one.
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
