import type { Readable } from 'node:stream';

import { pipeHandleOf } from './pipe-handle.js';
import { smallReadBuffer, largeReadBuffer } from './read-buffers.js';

/** Where Node.js keeps what the option `onread` of `net.Socket` gives it. */
const BUFFER = 'kBuffer';
const CALLBACK = 'kBufferCb';
/** The function that Node.js calls after each read for the buffer of the next read. */
const NEXT_BUFFER = 'kBufferGen';

/**
 * Takes what was read, which is gone when the next read begins. Returns where that is to go, if that is not all the same.
 */
export type TakeRead = (piece: Buffer) => Buffer | undefined;

/**
 * Lets a pipe be read into memory that all pipes share, and gives `take` each piece in the moment it was read. A stream
 * otherwise allocates 64 KiB for each read, and hands it on in five calls.
 *
 * That is the option `onread` of `net.Socket`, which can only be given to a socket that one creates oneself: those of a
 * child process and of stdin exist already. So it is set where the constructor would set it. Everything else of the
 * stream stays as it is (`pause`, `resume`, `end`, `close`), but `data` is only what it has read before.
 *
 * @returns false when the stream is not over a pipe, or this Node.js has other internals
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
      // It was filled: there may have been more.
      if (length === little.length && into === little) usual = largeReadBuffer();
      let next = usual;
      try {
        next = take(into.subarray(0, length)) ?? usual;
      } catch (error) {
        // If a host survives that, Node.js asks for nothing and would read there again.
        if (into !== usual) {
          Object.assign(input, { [buffer]: usual, [nextBuffer]: null });
          handle.useUserBuffer?.(usual);
        }
        throw error;
      }
      // Asked only when it changes, as it costs something for each read.
      if (next !== into) Object.assign(input, { [nextBuffer]: onceAsked(input, nextBuffer, next) });
      return true;
    },
  });
  handle.useUserBuffer(little);
  // Only a socket that has a buffer stops its handle when it is paused, and this one may have been before.
  if (input.isPaused()) input.pause();
  return true;
}

/** Gives `buffer` for the next read, and from then on nothing, which means the same one again. */
function onceAsked(input: Readable, nextBuffer: symbol, buffer: Buffer): () => Buffer {
  return () => {
    Object.assign(input, { [nextBuffer]: null });
    return buffer;
  };
}

function symbolOf(stream: object, description: string): symbol | undefined {
  return Object.getOwnPropertySymbols(stream).find((symbol) => symbol.description === description);
}
