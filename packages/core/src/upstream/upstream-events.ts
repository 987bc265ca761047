import type { ListKind } from './lists/list-kind.js';
import type { RunFailure } from './link/run-failure.js';
import type { PinFindings } from './lists/tool-pins.js';

/** Takes what happens to a registered server, `Server` being what knows it. */
export interface UpstreamEvents<Server> {
  stateChanged(upstream: Server): void;
  /** The run that was to take over has failed, and the one before goes on. */
  swapFailed(upstream: Server, failure: RunFailure): void;
  /** One of its lists is another one than before, or may be. */
  listChanged(upstream: Server, kind: ListKind): void;
  stderrLine(upstream: Server, line: string): void;
  /** Tools are not as they were approved. */
  unpinned(upstream: Server, findings: PinFindings): void;
  /** A process was started for it. */
  spawned(upstream: Server, pid: number): void;
  /** A server at a url has forgotten its session. Returns true when a reload opens a new one. */
  sessionLost(upstream: Server): boolean;
}
