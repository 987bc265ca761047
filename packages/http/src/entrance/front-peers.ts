import type { Duplex } from 'node:stream';

/** The other fronts that serve the same clients at the same address. */
export interface FrontPeers {
  /**
   * While this front is joining the others, returns a promise for which MCP requests must wait, afterwards undefined.
   */
  joining?(): Promise<void> | undefined;
  /**
   * Creates an id for a session. The id identifies this front. Only fronts of the same cluster can create valid ids.
   */
  newSessionId(): string;
  /**
   * Opens a connection to the front that has the session. Resolves to `gone` if the front, and therefore the session,
   * no longer exists. Rejects while the front cannot be reached.
   *
   * @returns undefined if the id identifies this front or no front
   */
  connect(sessionId: string): Promise<Duplex | 'gone'> | undefined;
}
