import type { Duplex } from 'node:stream';

/** The other fronts that serve the same clients, behind one address. */
export interface FrontPeers {
  /** While this front joins the others, MCP requests wait for the returned promise. Undefined after that. */
  joining?(): Promise<void> | undefined;
  /** A new id for a session. It names this front, and only a front of the same cluster can make one. */
  newSessionId(): string;
  /**
   * Opens a connection to the front that has a session. Resolves with `gone` when that front is gone, and with it the
   * session. Rejects while the front cannot be reached.
   *
   * @returns undefined for an id that names this front, or no front
   */
  connect(sessionId: string): Promise<Duplex | 'gone'> | undefined;
}
