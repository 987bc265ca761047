import type { Actor } from '../config/actor.js';
import type { RunFailure } from '../link/run-failure.js';
import type { ListKind } from '../lists/list-kind.js';
import type { PinFindings } from '../lists/tool-pins.js';

/** An event of a run. */
export type RunReport =
  | { readonly kind: 'spawned'; readonly pid: number }
  | { readonly kind: 'stderr'; readonly line: string }
  /** A line on stdout that is not MCP. */
  | { readonly kind: 'stdout'; readonly line: string };

/** An event of a registered server. `Server` is the type that represents the server. */
export type ServerReport<Server> =
  | RunReport
  | { readonly kind: 'added' | 'removed'; readonly by: Actor }
  /** The server is about to restart. */
  | { readonly kind: 'reloading'; readonly by: Actor }
  /** The server's current tools were approved. */
  | { readonly kind: 'approved'; readonly by: Actor }
  /** A reload has replaced the server because its config was unusable. */
  | { readonly kind: 'replaced'; readonly next: Server }
  | { readonly kind: 'state-changed' }
  /** One of the lists has changed, or may have changed. */
  | { readonly kind: 'list-changed'; readonly list: ListKind }
  /** Some tools differ from their approved state. */
  | { readonly kind: 'unpinned'; readonly findings: PinFindings }
  /** A second run, for clients of the other era, has begun to serve. */
  | { readonly kind: 'second-began' }
  /** The new run of a swap has failed. The previous run continues. */
  | { readonly kind: 'swap-failed'; readonly failure: RunFailure };

/** Receives the events of servers. */
export type ObserveServer<Server> = (server: Server, report: ServerReport<Server>) => void;

/** The owner of a registered server. */
export interface ServerOwner<Server> {
  /** Resolves when the runs of an earlier server with the same name have ended. No new run begins earlier. */
  readonly predecessorEnded?: Promise<unknown> | undefined;
  readonly observe: ObserveServer<Server>;
  /** Called when a remote server's session is lost. Returns true if it opens a new session. */
  onSessionLost(server: Server): boolean;
  /** Called when a remote server's session may be lost. Resolves to true if a new session is available. */
  onSessionDoubted(server: Server): Promise<boolean>;
}
