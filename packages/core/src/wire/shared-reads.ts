import type { Readable } from 'node:stream';

import { pipeHandleOf } from './pipe-handle.js';

/** Large enough for all that a Unix socket holds by default, so that a message of 100 KB is one system call. */
const READ_BYTES = 256 * 1024;

/** Where Node.js keeps what the option `onread` of `net.Socket` gives it. */
const BUFFER = 'kBuffer';
const CALLBACK = 'kBufferCb';

/**
 * One for all pipes of this thread, whoever has opened them: what was read is taken before anything else is read. Made
 * with the first of them.
 */
let shared: Buffer | undefined;

/**
 * Lets a pipe be read into a buffer that all pipes share, and gives `take` each piece in the moment it was read. A stream
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
  if (handle?.useUserBuffer === undefined || buffer === undefined || callback === undefined) return false;
  shared ??= Buffer.allocUnsafeSlow(READ_BYTES);
  const into = shared;
  Object.assign(input, {
    [buffer]: into,
    [callback]: (length: number) => {
      take(into.subarray(0, length));
      return true;
    },
  });
  handle.useUserBuffer(into);
  // Only a socket that has a buffer stops its handle when it is paused, and this one may have been before.
  if (input.isPaused()) input.pause();
  return true;
}

function symbolOf(stream: object, description: string): symbol | undefined {
  return Object.getOwnPropertySymbols(stream).find((symbol) => symbol.description === description);
}
