import type { RunFailure } from './link/run-failure.js';
import type { ListKind } from './lists/list-kind.js';
import type { PinFindings, ToolPins } from './lists/tool-pins.js';
import type { RunComponents } from './run/run-components.js';
import type { Inbox } from './run/run-inbox.js';

/** What the servers of one mux work with, `Server` being what knows one of them. */
export interface UpstreamComponents<Server> extends RunComponents {
  /** What the tools of all servers were when they were approved. */
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
  /** A process was started for it. */
  spawned(upstream: Server, pid: number): void;
  /** A server at a url has forgotten its session. Returns true when a reload opens a new one. */
  sessionLost(upstream: Server): boolean;
}
