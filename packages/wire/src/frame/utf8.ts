import { isUtf8 } from 'node:buffer';

/**
 * Returns the line if it is valid UTF-8. Otherwise returns a copy in which U+FFFD replaces invalid bytes, because one
 * such byte ends the session of a strict reader, with all other messages on it.
 */
export function asUtf8(line: Buffer): Buffer {
  return isUtf8(line) ? line : Buffer.from(line.toString('utf8'));
}
