import type { ClientProfile } from '../dialect/client-profile.js';
import type { Layer } from './config/layer.js';
import type { Inbox } from './link/inbox.js';
import type { ToolPins } from './lists/tool-pins.js';
import type { RunComponents } from './run/run-components.js';

/** What the servers of one mux work with, `Server` being what knows one of them. */
export interface UpstreamComponents<Server> extends Omit<RunComponents, 'clientProfile'> {
  /** The client whose capabilities a server in this layer is told when it starts now. */
  readonly clientProfile: (layer: Layer) => ClientProfile;
  /** What the tools of all servers were when they were approved. */
  readonly pins: ToolPins;
  /** Takes what servers send on their own. */
  readonly inbox: Inbox<Server>;
  /** Numbers the runs of all servers of one mux. */
  readonly nextRunId: () => number;
}
