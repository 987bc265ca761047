import type { ServerResponse } from 'node:http';

/** Limits on a response's unread data. */
export interface UnreadLimits {
  /** The maximum number of bytes queued for one response. Beyond it, the connection is closed. */
  readonly maxUnreadBytes: number;
  /** How long a connection may accept no queued data before it is closed, in milliseconds. */
  readonly stallMs: number;
}

/** A page's default limits. They are the same as for an MCP front. */
export const DEFAULT_UNREAD_LIMITS: UnreadLimits = { maxUnreadBytes: 24 * 1024 * 1024, stallMs: 60_000 };

/** Closes a response's connection if its browser does not read queued data. */
export function endWhenStalled(response: ServerResponse, { stallMs }: UnreadLimits): void {
  // While queued data is unread, another write does not count as socket activity.
  response.setTimeout(stallMs, () => {
    if (response.writableLength > 0) response.destroy();
  });
}

/** Writes a chunk of a response. Closes the connection if the unread data then exceeds the limit. */
export function writeBounded(
  response: ServerResponse,
  part: Uint8Array | string,
  { maxUnreadBytes }: UnreadLimits,
): void {
  if (response.destroyed) return;
  response.write(part);
  if (response.writableLength > maxUnreadBytes) response.destroy();
}
