import type { RunFailure } from './link/run-failure.js';
import type { ListKind } from './lists/list-kind.js';
import type { PinFindings, ToolPins } from './lists/tool-pins.js';
import type { RunComponents } from './run/run-components.js';
import type { Inbox } from './run/run-inbox.js';

/** The dependencies of the servers of one mux. `Server` is the type of the object that owns a server. */
export interface UpstreamComponents<Server> extends RunComponents {
  /** The approved definitions of the tools of all servers. */
  readonly pins: ToolPins;
  /** Takes the messages that servers send without a request. */
  readonly inbox: Inbox<Server>;
}

/** Takes the events of a registered server. `Server` is the type of the object that owns a server. */
export interface UpstreamEvents<Server> {
  stateChanged(upstream: Server): void;
  /** Called when the run that should take over has failed. The previous run continues. */
  swapFailed(upstream: Server, failure: RunFailure): void;
  /** Called when one of the lists has changed, or may have changed. */
  listChanged(upstream: Server, kind: ListKind): void;
  stderrLine(upstream: Server, line: string): void;
  /** Called with a line on stdout that is not MCP. */
  stdoutLine(upstream: Server, line: string): void;
  /** Called when tools differ from their approved state. */
  unpinned(upstream: Server, findings: PinFindings): void;
  /** Called when a second run of the server, for clients of the other era, begins to serve. */
  secondBegan(upstream: Server): void;
  /** Called when a process has been started for the server. */
  spawned(upstream: Server, pid: number): void;
  /** Called when a server at a url has lost its session. Returns true if a reload opens a new one. */
  sessionLost(upstream: Server): boolean;
  /** Called when a server at a url may have lost its session. Resolves to true if a new session serves. */
  sessionDoubted(upstream: Server): Promise<boolean>;
}
