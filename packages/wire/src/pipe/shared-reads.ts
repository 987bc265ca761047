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
export type TakeRead = (piece: Buffer) => Buffer | undefined;

/**
 * Makes a pipe read into memory that all pipes share, and passes each piece to `take` immediately after its read. A
 * stream otherwise allocates 64 KiB for each read, and passes it on in five calls.
 *
 * This is the option `onread` of `net.Socket`, which can only be given to a newly created socket. The sockets of a
 * child process and of stdin already exist, so the option is set where the constructor would set it. The rest of the
 * stream is unchanged (`pause`, `resume`, `end`, `close`), but `data` is emitted only for earlier reads.
 *
 * @returns false if the stream is not over a pipe, or if this Node.js version has other internals
 */
export function readShared(input: Readable, take: TakeRead): boolean {
  const handle = pipeHandleOf(input);
  const buffer = symbolOf(input, BUFFER);
  const callback = symbolOf(input, CALLBACK);
  const nextBuffer = symbolOf(input, NEXT_BUFFER);
  if (handle?.useUserBuffer === undefined) return false;
  if (buffer === undefined || callback === undefined || nextBuffer === undefined) return false;
  const little = smallReadBuffer();
  let usual = little;
  Object.assign(input, {
    [buffer]: little,
    [callback]: (length: number, into: Buffer) => {
      // The buffer was filled, so there may be more data.
      if (length === little.length && into === little) usual = largeReadBuffer();
      let next = usual;
      try {
        next = take(into.subarray(0, length)) ?? usual;
      } catch (error) {
        // If a host survives the exception, Node.js does not ask for a buffer and would read into this one again.
        if (into !== usual) {
          Object.assign(input, { [buffer]: usual, [nextBuffer]: null });
          handle.useUserBuffer?.(usual);
        }
        throw error;
      }
      // Set only on a change, because the call costs time for each read.
      if (next !== into) Object.assign(input, { [nextBuffer]: onceAsked(input, nextBuffer, next) });
      return true;
    },
  });
  handle.useUserBuffer(little);
  // Only a socket with a buffer stops its handle when it is paused, and this socket may have been paused before.
  if (input.isPaused()) input.pause();
  return true;
}

/**
 * Returns a function that returns `buffer` for the next read and then removes itself, so that further reads use the
 * same buffer.
 */
function onceAsked(input: Readable, nextBuffer: symbol, buffer: Buffer): () => Buffer {
  return () => {
    Object.assign(input, { [nextBuffer]: null });
    return buffer;
  };
}

function symbolOf(stream: object, description: string): symbol | undefined {
  return Object.getOwnPropertySymbols(stream).find((symbol) => symbol.description === description);
}
