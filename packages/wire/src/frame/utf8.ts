import { isUtf8 } from 'node:buffer';

/**
 * The line if it is UTF-8, or a copy in which U+FFFD stands for each byte that is not: one such byte ends the session of a
 * strict reader, with everything else that comes by it.
 */
export function asUtf8(line: Buffer): Buffer {
  return isUtf8(line) ? line : Buffer.from(line.toString('utf8'));
}
