import type { ClientStatus } from '../client/session/client-status.js';
import type { Guard, GuardHandler } from '../guards/guard.js';
import type { ExposureOptions } from '../catalog/exposure/exposure-options.js';
import type { ChangedTool } from '../tools/status/changed-tools.js';
import type { ServerStatus } from '../tools/status/server-status.js';
import type { ClientSession } from './client-session.js';
import type { MissedEvents } from './event-inbox.js';
import type { ReloadServerOptions, RemoveServerOptions, ServerPlace } from './server-place.js';
import type { SessionMessage } from './shown-message.js';
import type { HostRequests } from './host-requests.js';
import type { EventsOptions, ListenOptions, MuxEventMap, MuxEventName, NumberedEvent } from './mux-events.js';
import type { RememberedLists } from '../server/lists/remembered-lists.js';
import type {
  ServerConfig,
  StreamConfig,
  TransportConfig,
  UnusableConfig,
} from '../server/config/server-config.js';
import type { ClientLink, ConnectOptions, RequestCaller } from './connect-options.js';
import type { AddOptions } from './add-options.js';

/** Servers of the host for the sessions of one workspace. */
export interface MuxWorkspace extends Pick<Mux, 'addServer'> {
  /** As {@link Mux.removeServer}. */
  removeServer(name: string): Promise<void>;
  /** As {@link Mux.remember}, for a server of the workspace. */
  remember(name: string): RememberedLists | undefined;
  /** Removes the servers. Resolves when all their processes have ended. */
  close(): Promise<void>;
}

/** Presents any number of MCP servers to clients as one MCP server. */
export interface Mux extends HostRequests, AsyncDisposable {
  /** Tells this mux from every other. Requests to servers at urls have it in the header {@link INSTANCE_HEADER}. */
  readonly instanceId: string;
  /** Opens a session for one client. Several may be connected at the same time. */
  connect(link: ClientLink, options?: ConnectOptions): ClientSession;
  /**
   * Opens a workspace for servers of the host, which only the sessions in it see (`ConnectOptions.workspace`). It lasts
   * until it is closed, with sessions or without.
   */
  openWorkspace(name: string): MuxWorkspace;
  /**
   * Serves one message without a connection. {@link connect} runs the same code for each line it reads. A caller has
   * the capabilities that its message declares (revision 2026-07-28): requests of servers are put into the response. Any
   * other caller has none, and such requests are refused. Servers with `isolation: 'session'` are absent.
   *
   * @param message one JSON-RPC message, JSON without a newline
   * @param reply receives each line that belongs to the message, without its newline: progress, and last the response, for
   *   which `isResponse` is true
   * @returns resolves when no further answer follows; rejects with the error that `reply` threw
   * @throws MuxError CLOSED, and INVALID_MESSAGE for a message that holds a newline
   */
  handle(
    message: Uint8Array,
    caller: RequestCaller,
    reply: (line: Uint8Array, isResponse: boolean) => void,
  ): Promise<void>;
  /**
   * Adds a guard inside the existing guards: the first guard is outermost. Requests already in flight do not pass the
   * new guard. Returns a function that removes the guard.
   */
  use(guard: Guard): () => void;
  /** Adds a guard for the requests of one method. */
  use<Method extends string>(method: Method, handle: GuardHandler<Method>): () => void;
  /**
   * Registers a server and starts it. Resolves when the server runs.
   *
   * @param config A configuration that cannot be used, or an {@link UnusableConfig}, starts nothing: the server has
   *   failed, and with `keepsFailed` stays registered with the reason.
   * @throws NamespaceError for an illegal name
   * @throws MuxError SERVER_EXISTS, START_FAILED (the server is then not registered, unless `keepsFailed` is set),
   *   SERVER_REMOVED, CLOSED
   */
  addServer(
    name: string,
    config: ServerConfig | StreamConfig | TransportConfig | UnusableConfig,
    options?: AddOptions,
  ): Promise<ServerStatus>;
  /**
   * Unregisters a server at once. Resolves when its processes are gone.
   *
   * @param options.layer where a server of one workspace or session is: the `layer` of its status
   * @param options.isMoved calls in flight that fail say that the server has moved
   * @param options.haste when aborted, calls in flight get no more time, and the processes get SIGTERM at once and SIGKILL
   *   0.5 s later. Without it, calls get a second, and the processes 2 s after the end of stdin and 2 s after SIGTERM
   * @throws MuxError SERVER_NOT_FOUND
   */
  removeServer(name: string, options?: RemoveServerOptions): Promise<void>;
  /**
   * Stops a server and starts it from the same configuration. Resolves once it runs. For `isolation: 'session'`,
   * only the per-session instances that are in use (not idle) are restarted.
   *
   * @param options.approve approves the tool definitions after the reload: it unblocks tools blocked by `pinTools`. For
   *   `isolation: 'session'` without an instance in use, the definitions that the next instance lists are approved
   * @throws MuxError SERVER_NOT_FOUND, START_FAILED (the server stays registered as crashed or failed; instances: if all failed)
   */
  reloadServer(name: string, options?: ReloadServerOptions): Promise<ServerStatus>;
  /** Replaces `MuxOptions.exposure`. Clients are told if their list of tools has changed. */
  expose(exposure: ExposureOptions): void;
  /** The current lists of a server, for `AddOptions.remembered` of a later mux; undefined unless running or idle. */
  remember(name: string): RememberedLists | undefined;
  /**
   * The servers that were added for all clients, in the order they were added.
   *
   * @param options.everywhere Also lists servers that belong to one workspace or session. For `isolation: 'session'` it
   *   lists the per-session instances instead of the template.
   */
  listServers(options?: { readonly everywhere?: boolean }): readonly ServerStatus[];
  /** The tools of all servers whose definitions have changed since they were approved or since the run before. */
  changedTools(): readonly ChangedTool[];
  /** The tools that `exposure` leaves out of the list of a client in a layer, without an entry in `exposure.clients`. */
  unlistedTools(place?: ServerPlace): readonly string[];
  /** The connected clients, in the order of connection. */
  listClients(): readonly ClientStatus[];
  /** Calls `listener` for every event of the given name. Returns a function that removes the listener. */
  on<Name extends MuxEventName>(
    type: Name,
    listener: (event: MuxEventMap[Name]) => void,
    options?: ListenOptions,
  ): () => void;
  /**
   * Iterates over all events from now on, or from those after `options.after`. The buffer is bounded: a slow consumer
   * loses the oldest events, and gets their number in an `events:missed` instead.
   */
  events(options?: EventsOptions): AsyncIterableIterator<NumberedEvent | MissedEvents>;
  /** The `sequence` of the last event, for `options.after` of {@link events}; 0 before the first event. */
  readonly lastEvent: number;
  /**
   * Iterates over the messages between one client and mcpmux from now on, in both directions, until the client has gone.
   * The first 100 are listed, and then 20 a second: the number of all others comes in an `events:missed`. Texts have at
   * most 16,384 characters and no secrets; a request of more than 64 KiB has none. Nothing is read of a session that
   * nobody watches.
   *
   * @param session the number of {@link listClients}; undefined is returned for one that is not connected
   */
  messages(session: number): AsyncIterableIterator<SessionMessage | MissedEvents> | undefined;
  /**
   * Answers each request in flight with an error at once, ends all sessions, and stops all servers. Resolves within
   * 2.5 s, when all processes have ended.
   */
  close(): Promise<void>;
}
