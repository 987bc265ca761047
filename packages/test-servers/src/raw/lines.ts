import type { Readable } from 'node:stream';

const NEWLINE = 0x0a;

/** Calls `onLine` with the exact bytes of each line, without its newline. */
export function readLines(input: Readable, onLine: (line: Buffer) => void): void {
  let pendingChunks: Buffer[] = [];
  input.on('data', (chunk: Buffer) => {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const line = Buffer.concat([...pendingChunks, chunk.subarray(start, end)]);
      pendingChunks = [];
      start = end + 1;
      onLine(line);
    }
    pendingChunks.push(chunk.subarray(start));
  });
}
