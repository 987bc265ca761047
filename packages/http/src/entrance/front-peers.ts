import type { Duplex } from 'node:stream';

/** The other fronts that serve the same clients at one address. */
export interface FrontPeers {
  /** Returns a promise for which MCP requests wait while this front joins the other fronts. Later returns undefined. */
  joining?(): Promise<void> | undefined;
  /** Creates an id for a session. The id names this front. Only fronts of the same cluster can create valid ids. */
  newSessionId(): string;
  /**
   * Opens a connection to the front with a session. Resolves with `gone` if the front, and therefore the session, no
   * longer exists. Rejects while the front is unreachable.
   *
   * @returns undefined if the id names this front or no front
   */
  connect(sessionId: string): Promise<Duplex | 'gone'> | undefined;
}
