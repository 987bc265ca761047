import { finished, type Readable } from 'node:stream';

import split from 'split2';

/**
 * Returns the lines of a stream, as strings. The lines end when the stream ends, fails or is destroyed. `node:readline`
 * is not suitable for JSON, because from Node.js 24 on it also ends a line at U+2028 and U+2029.
 */
export function linesOf(input: Readable): Readable {
  const lines = split();
  finished(input, { writable: false }, () => lines.end());
  return input.pipe(lines, { end: false });
}
