import type { Socket } from 'node:net';

import { openingLine, parseOpenState, type OpenState } from './opening.js';
import type { Opening } from './read-opening.js';

const NEWLINE = 0x0a;
/** The maximum length of a response, in bytes. The process at the other end may not be trustworthy. */
const MAX_RESPONSE_BYTES = 1024 * 1024;

/**
 * Opens a session on a connection to an instance. Data after the response remains unread. Resolves to undefined if the
 * connection ends without a response.
 */
export async function sendOpening(connection: Socket, opening: Opening): Promise<OpenState | undefined> {
  const line = await sendAndReadLine(connection, `${openingLine(opening)}\n`);
  return parseOpenState(line.toString());
}

/**
 * Sends a line, including its line end, and returns the first line of the response. If the connection ends first,
 * returns the bytes so far. Closes the connection if the line exceeds {@link MAX_RESPONSE_BYTES} bytes.
 */
export async function sendAndReadLine(connection: Socket, line: string | Buffer): Promise<Buffer> {
  connection.write(line);
  let bytes = Buffer.alloc(0);
  let lineEnd = -1;
  await new Promise<void>((resolve) => {
    // A listener for `data` would leave the connection explicitly paused, and some later readers do not resume it.
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
