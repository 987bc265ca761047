import type { OversizedLine } from '@mcpmux/wire';

/** What is left of a line above the limit: of these ends, and so many bytes. */
export function oversizedLine(head: string, tail = '', length = 11_000_000): OversizedLine {
  return { length, head: Buffer.from(head), tail: Buffer.from(tail) };
}
