import type { Announcement } from './announcement.js';
import type { McpConnection } from './mcp-connection.js';
import type { ServerState } from './server-state.js';

/** The status of a server of the config. Uses the words of `list_servers` if they exist. */
export type Outcome =
  | {
      readonly kind: 'running';
      readonly name: string;
      readonly state: ServerState;
      readonly startMs?: number;
    }
  /** The server does not run. Its tools are the tools of its last run. */
  | { readonly kind: 'remembered'; readonly name: string; readonly tools: readonly string[] }
  /** The server does not run, and its tools are unknown. */
  | { readonly kind: 'starting' | 'ready'; readonly name: string }
  /** The server ran and ended, or did not start. */
  | { readonly kind: 'crashed'; readonly name: string; readonly reason: string }
  /** The configuration cannot be used. Without a reason, the problems of the config explain it. */
  | { readonly kind: 'failed'; readonly name: string; readonly reason?: string | undefined }
  | { readonly kind: 'disabled'; readonly name: string }
  /** The running mcpmux has not read the config since the server was added. */
  | { readonly kind: 'not_loaded'; readonly name: string; readonly reason: string }
  /** The running mcpmux was started with a selection that excludes this server. */
  | { readonly kind: 'not_selected'; readonly name: string; readonly reason: string };

/**
 * The running servers of a config. They run in an mcpmux that serves the config, or in a temporary mux for this
 * command.
 */
export interface LiveServers extends AsyncDisposable {
  readonly connection: McpConnection;
  /** The outcomes in the order of the config. */
  readonly outcomes: readonly Outcome[];
  /** The states of all servers, including the servers that agents added. */
  readonly states: readonly ServerState[];
  /** The running mcpmux. Undefined if the servers run in a temporary mux for this command. */
  readonly instance?: Announcement;
}

/** Selects the servers to include, and where they run. */
export interface LiveOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Names of the servers to include; all when absent. */
  readonly only?: readonly string[] | undefined;
  /** The start timeout per server, in milliseconds. */
  readonly timeout?: number | undefined;
  /** Starts the servers here even if an mcpmux already serves the config. */
  readonly fresh?: boolean | undefined;
  /** The servers to start if no mcpmux serves the config: all when absent, or only the servers without saved lists. */
  readonly starts?: 'all' | 'unknown' | undefined;
  /** Receives each outcome when it is known, and the number of servers. */
  readonly onOutcome?: ((outcome: Outcome, all: number) => void) | undefined;
}

/** True if a server should run but cannot be used now. */
export function isBroken(state: string): boolean {
  return state === 'crashed' || state === 'failed' || state === 'not_loaded';
}
