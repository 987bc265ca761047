import type { Readable } from 'node:stream';

import { pipeHandleOf } from './pipe-handle.js';
import { memoryForLittle, memoryForMuch } from './read-memory.js';

/** Where Node.js keeps what the option `onread` of `net.Socket` gives it. */
const BUFFER = 'kBuffer';
const CALLBACK = 'kBufferCb';
/** What is asked after each read for the buffer of the next one. */
const NEXT_BUFFER = 'kBufferGen';

/**
 * Lets a pipe be read into memory that all pipes share, and gives `take` each piece in the moment it was read. A stream
 * otherwise allocates 64 KiB for each read, and hands it on in five calls.
 *
 * That is the option `onread` of `net.Socket`, which can only be given to a socket that one creates oneself: those of a
 * child process and of stdin exist already. So it is set where the constructor would set it. Everything else of the
 * stream stays as it is (`pause`, `resume`, `end`, `close`), but `data` is only what it has read before.
 *
 * @returns false when the stream is none over a pipe, or this Node.js keeps these things elsewhere
 */
export function readShared(input: Readable, take: (piece: Buffer) => void): boolean {
  const handle = pipeHandleOf(input);
  const buffer = symbolOf(input, BUFFER);
  const callback = symbolOf(input, CALLBACK);
  const nextBuffer = symbolOf(input, NEXT_BUFFER);
  if (handle?.useUserBuffer === undefined) return false;
  if (buffer === undefined || callback === undefined || nextBuffer === undefined) return false;
  const memory = memoryForLittle();
  Object.assign(input, {
    [buffer]: memory,
    [callback]: (length: number, into: Buffer) => {
      // It was filled: there may have been more. Asked once, as it costs something for each read.
      if (length === memory.length && into === memory) {
        Object.assign(input, { [nextBuffer]: onceAsked(input, nextBuffer, memoryForMuch()) });
      }
      take(into.subarray(0, length));
      return true;
    },
  });
  handle.useUserBuffer(memory);
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
