import type { ServerResponse } from 'node:http';

/** The limits of unread data in one connection. */
export interface WebResponseLimits {
  readonly maxUnreadBytes: number;
  readonly stallMs: number;
}

/**
 * Sends a response of the Fetch API through `node:http`. Resolves when it is sent, or when its client is gone.
 *
 * A client that does not read is disconnected, because the stream has no flow control. The event store keeps its
 * messages until it reconnects.
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
  // While unread data waits, further writes do not count as activity of the socket.
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
