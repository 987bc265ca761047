import type { ServerResponse } from 'node:http';

/** What is allowed to wait in one connection. */
export interface WebResponseLimits {
  readonly maxUnreadBytes: number;
  readonly stallMs: number;
}

/**
 * Sends a response of the Fetch API through `node:http`. Resolves when it is sent, or its reader has gone.
 *
 * A reader that does not read is disconnected: the stream behind has no flow control, and what it was sent is kept in
 * the event store for when it comes back.
 */
export async function sendWebResponse(
  web: Response,
  response: ServerResponse,
  { maxUnreadBytes, stallMs }: WebResponseLimits,
): Promise<void> {
  if (response.destroyed) return web.body?.cancel();
  for (const [name, value] of web.headers) response.setHeader(name, value);
  response.writeHead(web.status);
  if (web.body === null) return void response.end();
  response.flushHeaders();
  const reader = web.body.getReader();
  const closed = new Promise<void>((resolve) => response.once('close', resolve));
  const cancelled = closed.then(() => reader.cancel().catch(() => undefined));
  // While something waits to be taken, nothing new counts as activity of the socket.
  response.setTimeout(stallMs, () => response.destroy());
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
    if (done || response.destroyed) break;
    response.write(value);
    if (response.writableLength > maxUnreadBytes) response.destroy();
  }
  if (response.destroyed) await cancelled;
  else response.end();
}
