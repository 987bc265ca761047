import type { Socket } from 'node:net';

import { openingLine, readOpened, type OpenState } from './opening.js';
import type { Opening } from './read-opening.js';

const NEWLINE = 0x0a;
/** The maximum length of a response, in bytes, because the process at the other end may not be trusted yet. */
const MAX_RESPONSE = 1024 * 1024;

/**
 * Opens a session on a connection to an instance. Data after the response stays in the connection. Resolves to
 * undefined if the connection ends without a response.
 */
export async function openConnection(connection: Socket, opening: Opening): Promise<OpenState | undefined> {
  const line = await responseTo(connection, `${openingLine(opening)}\n`);
  return readOpened(line.toString());
}

/**
 * Sends a line, including its line end, and returns the first line of the response. If the connection ends first,
 * returns the bytes so far. Closes the connection if the line exceeds {@link MAX_RESPONSE} bytes.
 */
export async function responseTo(connection: Socket, line: string | Buffer): Promise<Buffer> {
  connection.write(line);
  let bytes = Buffer.alloc(0);
  let end = -1;
  await new Promise<void>((resolve) => {
    // A listener for `data` would leave the connection paused, and not every later reader resumes it.
    const readLine = (): void => {
      for (let chunk = read(connection); chunk !== null; chunk = read(connection)) {
        bytes = Buffer.concat([bytes, chunk]);
        end = bytes.indexOf(NEWLINE);
        if (end === -1 && bytes.length > MAX_RESPONSE) connection.destroy();
        if (end === -1) continue;
        connection.off('readable', readLine);
        if (end + 1 < bytes.length) connection.unshift(bytes.subarray(end + 1));
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
  return end === -1 ? bytes : bytes.subarray(0, end);
}

function read(connection: Socket): Buffer | null {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a socket without an encoding returns only buffers
  return connection.read() as Buffer | null;
}
