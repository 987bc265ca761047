import type { RunFailure } from './link/run-failure.js';
import type { ListKind } from './lists/list-kind.js';
import type { PinFindings, ToolPins } from './lists/tool-pins.js';
import type { RunComponents } from './run/run-components.js';
import type { Inbox } from './run/run-inbox.js';

/** The dependencies of the servers of one mux. `Server` is the type of the object that owns a server. */
export interface UpstreamComponents<Server> extends RunComponents {
  /** The approved definitions of the tools of all servers. */
  readonly pins: ToolPins;
  /** Takes what servers send on their own. */
  readonly inbox: Inbox<Server>;
}

/** Takes what happens to a registered server, `Server` being what knows it. */
export interface UpstreamEvents<Server> {
  stateChanged(upstream: Server): void;
  /** The run that was to take over has failed, and the one before goes on. */
  swapFailed(upstream: Server, failure: RunFailure): void;
  /** One of its lists is another one than before, or may be. */
  listChanged(upstream: Server, kind: ListKind): void;
  stderrLine(upstream: Server, line: string): void;
  /** A line on stdout that is no MCP. */
  stdoutLine(upstream: Server, line: string): void;
  /** Tools are not as they were approved. */
  unpinned(upstream: Server, findings: PinFindings): void;
  /** A second run of the server serves now, for clients of the other era. */
  secondBegan(upstream: Server): void;
  /** A process was started for it. */
  spawned(upstream: Server, pid: number): void;
  /** A server at a url has forgotten its session. Returns true when a reload opens a new one. */
  sessionLost(upstream: Server): boolean;
  /** A server at a url may have forgotten its session. Resolves to whether a new one serves. */
  sessionDoubted(upstream: Server): Promise<boolean>;
}
