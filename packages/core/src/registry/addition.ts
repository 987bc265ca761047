import type { Upstream } from '../upstream/upstream.js';

/** A server on its way up. */
export interface Addition {
  readonly upstream: Upstream;
  /** Resolves when the server runs. Rejects with MuxError START_FAILED or SERVER_REMOVED. */
  readonly started: Promise<Upstream>;
  /** Whoever asked has been answered: from now on a failed start leaves the server registered as crashed. */
  readonly keep: () => void;
  /** Whoever asked does not want it any more: removes this server, and no later one of the same name. */
  readonly undo: () => void;
}
