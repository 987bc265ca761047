import type { ServerResponse } from 'node:http';

/** How much of an answer a browser may leave unread, and for how long. */
export interface UnreadLimits {
  /** Bytes that wait for one answer. Above the limit, the connection closes. */
  readonly maxUnreadBytes: number;
  /** A connection that takes none of the bytes that wait, for so many milliseconds, closes. */
  readonly stallMs: number;
}

/** The limits of a page that has none of its own: those of a front for MCP. */
export const UNREAD_LIMITS: UnreadLimits = { maxUnreadBytes: 24 * 1024 * 1024, stallMs: 60_000 };

/** Closes the connection of an answer whose browser does not read. An answer that waits for its next bytes stays open. */
export function endWhenStalled(response: ServerResponse, { stallMs }: UnreadLimits): void {
  // While unread data waits, further writes do not count as activity of the socket.
  response.setTimeout(stallMs, () => {
    if (response.writableLength > 0) response.destroy();
  });
}

/** Writes a part of an answer, unless its browser has left too much unread: then the connection closes. */
export function writeBounded(
  response: ServerResponse,
  part: Uint8Array | string,
  { maxUnreadBytes }: UnreadLimits,
): void {
  if (response.destroyed) return;
  response.write(part);
  if (response.writableLength > maxUnreadBytes) response.destroy();
}
