import type { Readable } from 'node:stream';

const NEWLINE = 0x0a;

/** Calls `onLine` with the exact bytes of every line, without its newline. */
export function onLines(input: Readable, onLine: (line: Buffer) => void): void {
  let parts: Buffer[] = [];
  input.on('data', (chunk: Buffer) => {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const line = Buffer.concat([...parts, chunk.subarray(start, end)]);
      parts = [];
      start = end + 1;
      onLine(line);
    }
    parts.push(chunk.subarray(start));
  });
}
