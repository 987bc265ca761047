import type { Socket } from 'node:net';

import { openingLine, parseOpenState, type OpenState } from './opening.js';
import type { Opening } from './read-opening.js';

const NEWLINE = 0x0a;
/** The maximum length of a response line, in bytes. The process at the other end may be malicious. */
const MAX_RESPONSE_BYTES = 1024 * 1024;

/**
 * Sends an opening and resolves to the state in the response. Later data stays unread in the socket. Resolves to
 * undefined if the connection ends first or the response is invalid.
 */
export async function sendOpening(connection: Socket, opening: Opening): Promise<OpenState | undefined> {
  const line = await sendAndReadLine(connection, `${openingLine(opening)}\n`);
  return parseOpenState(line.toString());
}

/**
 * Sends a line, which must include its line end, and resolves to the next line received, without its line end. If the
 * connection ends first, resolves to the bytes received. Closes the connection if the received line exceeds
 * {@link MAX_RESPONSE_BYTES} bytes.
 */
export async function sendAndReadLine(connection: Socket, line: string | Buffer): Promise<Buffer> {
  connection.write(line);
  let bytes = Buffer.alloc(0);
  let lineEnd = -1;
  await new Promise<void>((resolve) => {
    // A `data` listener would have to pause the connection explicitly, and some later readers do not resume it.
    const readLine = (): void => {
      for (let chunk = readBuffer(connection); chunk !== null; chunk = readBuffer(connection)) {
        bytes = Buffer.concat([bytes, chunk]);
        lineEnd = bytes.indexOf(NEWLINE);
        if (lineEnd === -1 && bytes.length > MAX_RESPONSE_BYTES) connection.destroy();
        if (lineEnd === -1) continue;
        connection.off('readable', readLine);
        if (lineEnd + 1 < bytes.length) connection.unshift(bytes.subarray(lineEnd + 1));
        resolve();
        return;
      }
    };
    connection.on('readable', readLine);
    connection
      .once('end', resolve)
      .once('close', () => resolve())
      .once('error', () => resolve());
  });
  return lineEnd === -1 ? bytes : bytes.subarray(0, lineEnd);
}

function readBuffer(connection: Socket): Buffer | null {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a socket without an encoding returns only buffers
  return connection.read() as Buffer | null;
}
