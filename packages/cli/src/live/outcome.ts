import type { Announcement } from './announcement.js';
import type { McpConnection } from './mcp-connection.js';
import type { ServerState } from './server-state.js';

/** The state of a config's server. A kind that corresponds to a status in `list_servers` has the same name. */
export type Outcome =
  | {
      readonly kind: 'running';
      readonly name: string;
      readonly state: ServerState;
      readonly startMs?: number;
    }
  /** The server is not running. `tools` lists the exposed names from its last run. */
  | { readonly kind: 'remembered'; readonly name: string; readonly tools: readonly string[] }
  /** The server is starting, or it is ready to start and its tools are unknown. */
  | { readonly kind: 'starting' | 'ready'; readonly name: string }
  /** The server ended unexpectedly or failed to start. */
  | { readonly kind: 'crashed'; readonly name: string; readonly reason: string }
  /** The configuration is unusable. If `reason` is absent, the config's reported problems explain why. */
  | { readonly kind: 'failed'; readonly name: string; readonly reason?: string | undefined }
  | { readonly kind: 'disabled'; readonly name: string }
  /** The running mcpmux has not read the config since the server was added. */
  | { readonly kind: 'not_loaded'; readonly name: string; readonly reason: string }
  /** The running mcpmux was started with a selection that excludes this server. */
  | { readonly kind: 'not_selected'; readonly name: string; readonly reason: string };

/** A config's servers, in the mcpmux that serves the config or in a temporary mux for this command. */
export interface LiveServers extends AsyncDisposable {
  readonly connection: McpConnection;
  /** The outcomes, in the order of the servers in the config. */
  readonly outcomes: readonly Outcome[];
  /** The states of all servers, including servers that agents added. */
  readonly states: readonly ServerState[];
  /** The running mcpmux. Undefined if the servers run in a temporary mux for this command. */
  readonly instance?: Announcement;
}

/** The selection of servers, and the options for starting them. */
export interface LiveOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The names of the servers to include. If absent, all servers are included. */
  readonly only?: readonly string[] | undefined;
  /** The start timeout per server, in milliseconds. */
  readonly timeout?: number | undefined;
  /** Starts the servers in a temporary mux even if an mcpmux already serves the config. */
  readonly fresh?: boolean | undefined;
  /** The servers to start if no mcpmux serves the config. `unknown` starts only servers without saved lists. */
  readonly toStart?: 'all' | 'unknown' | undefined;
  /** Called with each outcome as soon as it is known, and with the total number of servers. */
  readonly onOutcome?: ((outcome: Outcome, all: number) => void) | undefined;
}

/** True if a server should run but currently cannot be used. */
export function isBroken(state: string): boolean {
  return state === 'crashed' || state === 'failed' || state === 'not_loaded';
}
