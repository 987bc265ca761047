import { cutToBytes } from '@mcpmux/kit';

/** Maximum length of the instructions of one server, in bytes of UTF-8. Longer instructions are cut. */
export const MAX_SERVER_INSTRUCTIONS_BYTES = 4096;

/** Returns the instructions of a server. If they are cut, a note with the server's name follows. */
export function truncatedInstructions(
  server: string,
  instructions: string,
  maxBytes = MAX_SERVER_INSTRUCTIONS_BYTES,
): string {
  const shown = cutToBytes(instructions, maxBytes);
  return shown.length === instructions.length
    ? shown
    : `${shown}…\n(mcpmux: the instructions of server ${JSON.stringify(server)} are longer; they were cut here.)`;
}
