import { cutToBytes } from '@mcpmux/kit';

/** The maximum length of one server's instructions, in bytes of UTF-8. Longer instructions are truncated. */
export const MAX_SERVER_INSTRUCTIONS_BYTES = 4096;

/** Returns a server's instructions. If they are truncated, a note that names the server follows. */
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
