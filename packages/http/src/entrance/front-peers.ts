import type { Duplex } from 'node:stream';

/** The other fronts that serve the same clients at one address. */
export interface FrontPeers {
  /**
   * While this front is joining the others, returns the promise for which MCP requests must wait. Afterwards, returns
   * undefined.
   */
  joining?(): Promise<void> | undefined;
  /** Creates an id for a session. The id names this front. Only fronts of the same cluster can create valid ids. */
  newSessionId(): string;
  /**
   * Opens a connection to the front that has this session. Resolves with `gone` if the front, and therefore the
   * session, no longer exists. Rejects while the front is unreachable.
   *
   * @returns undefined if the id names this front or no front
   */
  connect(sessionId: string): Promise<Duplex | 'gone'> | undefined;
}
