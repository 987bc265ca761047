import type { Readable } from 'node:stream';

import { pipeHandleOf } from './pipe-handle.js';
import { smallReadBuffer, largeReadBuffer } from './read-buffers.js';

/** The symbols under which Node.js stores the option `onread` of `net.Socket`. */
const BUFFER = 'kBuffer';
const CALLBACK = 'kBufferCb';
/** The symbol of the function that Node.js calls after each read to get the buffer for the next read. */
const NEXT_BUFFER = 'kBufferGen';

/**
 * Takes the bytes of a read, which are valid until the next read begins. Returns the buffer for the next read, or
 * undefined if any buffer will do.
 */
export type ReadHandler = (piece: Buffer) => Buffer | undefined;

/**
 * Makes a pipe read into memory that all pipes share, and passes each piece to `take` immediately after its read.
 * Otherwise a stream allocates 64 KiB for each read and passes the data on through five calls.
 *
 * Uses the option `onread` of `net.Socket`, which is available only for new sockets. The sockets of a child process and
 * of stdin already exist, so the option is set where the constructor would set it. The stream otherwise works as before
 * (`pause`, `resume`, `end`, `close`), but emits `data` only for earlier reads.
 *
 * @returns false if the stream is not over a pipe, or if this Node.js version has other internals
 */
export function readShared(input: Readable, take: ReadHandler): boolean {
  const handle = pipeHandleOf(input);
  const buffer = findSymbol(input, BUFFER);
  const callback = findSymbol(input, CALLBACK);
  const nextBuffer = findSymbol(input, NEXT_BUFFER);
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
      if (next !== into) Object.assign(input, { [nextBuffer]: provideOnce(input, nextBuffer, next) });
      return true;
    },
  });
  handle.useUserBuffer(smallBuffer);
  // Only a socket with a buffer stops its handle when it is paused, and this socket may have been paused before.
  if (input.isPaused()) input.pause();
  return true;
}

/**
 * Returns a function that returns `buffer` for the next read and then removes itself, so that further reads use the
 * same buffer.
 */
function provideOnce(input: Readable, nextBuffer: symbol, buffer: Buffer): () => Buffer {
  return () => {
    Object.assign(input, { [nextBuffer]: null });
    return buffer;
  };
}

function findSymbol(stream: object, description: string): symbol | undefined {
  return Object.getOwnPropertySymbols(stream).find((symbol) => symbol.description === description);
}
