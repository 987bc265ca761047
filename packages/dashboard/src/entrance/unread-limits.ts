import type { ServerResponse } from 'node:http';

/** The limits on unread data of a response. */
export interface UnreadLimits {
  /** The maximum number of bytes queued for one response. If it is exceeded, the connection is closed. */
  readonly maxUnreadBytes: number;
  /** The time in milliseconds after which a connection that accepts no queued data is closed. */
  readonly stallMs: number;
}

/** The default limits of a page, which equal the limits of an MCP front. */
export const DEFAULT_UNREAD_LIMITS: UnreadLimits = { maxUnreadBytes: 24 * 1024 * 1024, stallMs: 60_000 };

/** Closes the connection of a response whose browser does not read. A response without queued data stays open. */
export function endWhenStalled(response: ServerResponse, { stallMs }: UnreadLimits): void {
  // While unread data is queued, further writes are not treated as activity on the socket.
  response.setTimeout(stallMs, () => {
    if (response.writableLength > 0) response.destroy();
  });
}

/** Writes a part of a response. Closes the connection if the unread data then exceeds the limit. */
export function writeBounded(
  response: ServerResponse,
  part: Uint8Array | string,
  { maxUnreadBytes }: UnreadLimits,
): void {
  if (response.destroyed) return;
  response.write(part);
  if (response.writableLength > maxUnreadBytes) response.destroy();
}
