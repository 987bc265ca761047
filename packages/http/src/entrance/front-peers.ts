import type { Duplex } from 'node:stream';

/** The other fronts that serve the same clients at one address. */
export interface FrontPeers {
  /**
   * Returns a promise that MCP requests wait for while this front joins the other fronts. Returns undefined after that.
   */
  joining?(): Promise<void> | undefined;
  /** Creates an id for a session. The id names this front, and only a front of the same cluster can create one. */
  newSessionId(): string;
  /**
   * Opens a connection to the front that has a session. Resolves with `gone` if that front, and therefore the session,
   * no longer exists. Rejects while the front cannot be reached.
   *
   * @returns undefined if the id names this front, or does not name any front
   */
  connect(sessionId: string): Promise<Duplex | 'gone'> | undefined;
}
