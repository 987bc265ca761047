import { finished, type Readable } from 'node:stream';

import split from 'split2';

/**
 * Returns a stream of the lines of `input`, as strings. The stream ends when `input` ends, fails or is destroyed.
 * `node:readline` is unsuitable for JSON, because since Node.js 24 it also splits lines at U+2028 and U+2029.
 */
export function linesOf(input: Readable): Readable {
  const lines = split();
  finished(input, { writable: false }, () => lines.end());
  return input.pipe(lines, { end: false });
}
