import { cutToBytes } from '../../base/cut-text.js';

/** What one server may say of its use, in bytes of UTF-8; the rest is cut. */
export const MAX_SERVER_INSTRUCTIONS = 4096;

/** What a server says of its use, cut where it is too long, with a note of whose it was. */
export function shownInstructions(
  server: string,
  instructions: string,
  maxBytes = MAX_SERVER_INSTRUCTIONS,
): string {
  const shown = cutToBytes(instructions, maxBytes);
  return shown.length === instructions.length
    ? shown
    : `${shown}…\n(mcpmux: the instructions of server ${JSON.stringify(server)} are longer; they were cut here.)`;
}
