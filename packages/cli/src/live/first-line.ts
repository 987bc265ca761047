import type { Socket } from 'node:net';

const NEWLINE = 0x0a;

/**
 * Returns the first line of a connection, without its line end. If the connection ends first, returns the bytes so far.
 * The connection is paused then, with its later bytes.
 */
export async function firstLine(connection: Socket): Promise<Buffer> {
  let bytes = Buffer.alloc(0);
  let end = -1;
  await new Promise<void>((resolve) => {
    const take = (chunk: Buffer): void => {
      bytes = Buffer.concat([bytes, chunk]);
      end = bytes.indexOf(NEWLINE);
      if (end === -1) return;
      connection.pause();
      connection.off('data', take);
      resolve();
    };
    connection.on('data', take);
    connection
      .once('end', resolve)
      .once('close', () => resolve())
      .once('error', () => resolve());
  });
  if (end === -1) return bytes;
  if (end + 1 < bytes.length) connection.unshift(bytes.subarray(end + 1));
  return bytes.subarray(0, end);
}
