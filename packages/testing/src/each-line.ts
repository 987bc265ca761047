import type { Readable } from 'node:stream';

/** Calls `onLine` with each line of a stream, without its newline. Blank lines are skipped. */
export function forEachLine(input: Readable, onLine: (line: string) => void): void {
  let rest = Buffer.alloc(0);
  input.on('data', (chunk: Buffer) => {
    let bytes = Buffer.concat([rest, chunk]);
    for (let end = bytes.indexOf('\n'); end !== -1; end = bytes.indexOf('\n')) {
      const line = bytes.toString('utf8', 0, end);
      bytes = bytes.subarray(end + 1);
      rest = bytes;
      if (line.trim() !== '') onLine(line);
    }
    rest = bytes;
  });
}
