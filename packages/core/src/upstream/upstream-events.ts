import type { RawId } from '@mcpmux/wire';
import type { AttemptComponents } from './run/attempt-components.js';
import type { ServerNotification, ServerRequest } from './link/pending-call.js';
import type { ClientProfile } from './config/client-profile.js';
import type { ListKind } from './lists/list-kind.js';
import type { ServerEvent } from './link/server-event.js';
import type { RunFailure } from './link/run-failure.js';
import type { Layer } from './config/layer.js';
import type { PinFindings, ToolPins } from './lists/tool-pins.js';
import type { Upstream } from './upstream.js';

/** What the owner of an upstream is told. */
export interface UpstreamEvents {
  stateChanged(upstream: Upstream): void;
  /** The run that was to take over has failed, and the one before goes on. */
  swapFailed(upstream: Upstream, failure: RunFailure): void;
  /** One of its lists is another one than before, or may be. */
  listChanged(upstream: Upstream, kind: ListKind): void;
  /** It sent a notification that is no `list_changed`. */
  notification(received: ServerEvent<ServerNotification>): void;
  /** It asks a client for something; also while it is starting. */
  request(received: ServerEvent<ServerRequest>, id: RawId): void;
  stderrLine(upstream: Upstream, line: string): void;
  /** Tools are not as they were approved. */
  unpinned(upstream: Upstream, findings: PinFindings): void;
  /** A process was started for it. */
  spawned(upstream: Upstream, pid: number): void;
  /** A server at a url has forgotten its session. Returns true when a reload opens a new one. */
  sessionLost(upstream: Upstream): boolean;
}

/** What an upstream works with. */
export interface UpstreamComponents extends Omit<AttemptComponents, 'clientProfile'> {
  /** The client whose capabilities a server in this layer is told when it starts now. */
  readonly clientProfile: (layer: Layer) => ClientProfile;
  /** What the tools of all servers were when they were approved. */
  readonly pins: ToolPins;
  /** Numbers the runs of all servers of one mux. */
  readonly nextRunId: () => number;
}
