import { finished, type Readable } from 'node:stream';

import split from 'split2';

/**
 * The lines of a stream, as strings. They end when the stream ends, fails or is destroyed.
 * `node:readline` serves no JSON: from Node.js 24 on it ends a line at U+2028 and U+2029 as well.
 */
export function linesOf(input: Readable): Readable {
  const lines = split();
  finished(input, { writable: false }, () => lines.end());
  return input.pipe(lines, { end: false });
}
