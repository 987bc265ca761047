import type { ClientStatus } from '../client/session/client-status.js';
import type { ApprovalDesk } from '../guards/approval-desk.js';
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

/** The host's servers for the sessions of one workspace. */
export interface MuxWorkspace extends Pick<Mux, 'addServer'> {
  /** Removes a server, as {@link Mux.removeServer} does. */
  removeServer(name: string): Promise<void>;
  /** Returns the lists of a server in the workspace, as {@link Mux.remember} does. */
  remember(name: string): RememberedLists | undefined;
  /** Removes the workspace's servers. Resolves when all their processes have ended. */
  close(): Promise<void>;
}

/** Presents any number of MCP servers to clients as one MCP server. */
export interface Mux extends HostRequests, AsyncDisposable {
  /** Identifies this mux. Requests to servers at URLs contain it in the header {@link INSTANCE_HEADER}. */
  readonly instanceId: string;
  /** Opens a session for one client. Several clients may be connected at the same time. */
  connect(link: ClientLink, options?: ConnectOptions): ClientSession;
  /**
   * Opens a workspace. Only sessions in it (`ConnectOptions.workspace`) see the servers that the host adds to it. The
   * workspace stays open until it is closed, even without sessions.
   */
  openWorkspace(name: string): MuxWorkspace;
  /**
   * Serves one message without a connection. {@link connect} runs the same code for each line it reads. A message of
   * revision 2026-07-28 declares the caller's capabilities, and the response contains the servers' requests. Other
   * messages declare no capabilities, and the servers' requests are refused. Servers with `isolation: 'session'` are
   * absent.
   *
   * @param message one JSON-RPC message, as JSON text without a newline
   * @param reply receives each outgoing line, without its newline: first any progress, and finally the response, for
   *   which `isResponse` is true
   * @returns resolves when no further line follows; rejects with the error that `reply` threw
   * @throws MuxError CLOSED, and INVALID_MESSAGE for a message that contains a newline
   */
  handle(
    message: Uint8Array,
    caller: RequestCaller,
    reply: (line: Uint8Array, isResponse: boolean) => void,
  ): Promise<void>;
  /**
   * Adds a guard inside the existing guards, so that the first guard is outermost. Requests already in flight do not
   * pass through the new guard. Returns a function that removes the guard.
   */
  use(guard: Guard): () => void;
  /** Adds a guard for the requests of one method. */
  use<Method extends string>(method: Method, handle: GuardHandler<Method>): () => void;
  /**
   * Registers a server and starts it. Resolves when the server runs.
   *
   * @param config A configuration that cannot be used, or an {@link UnusableConfig}, does not start a server. Such a
   *   server counts as failed, and with `keepsFailed` it stays registered with the reason.
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
   * Unregisters a server at once. Resolves when its processes have ended.
   *
   * @param options.layer the layer of a server in a workspace or session, from its status
   * @param options.isMoved true if the errors for calls in flight must state that the server has moved
   * @param options.haste when aborted, calls in flight get no more time, and the processes get SIGTERM at once and
   *   SIGKILL 0.5 s later. Otherwise, calls get 1 s, and the processes get SIGTERM 2 s after the end of stdin, and
   *   SIGKILL 2 s after SIGTERM
   * @throws MuxError SERVER_NOT_FOUND
   */
  removeServer(name: string, options?: RemoveServerOptions): Promise<void>;
  /**
   * Stops a server and starts it with the same configuration. Resolves when it runs. For `isolation: 'session'`, only
   * the per-session instances that are in use (not idle) are restarted.
   *
   * @param options.approve approves the tool definitions after the reload, which unblocks tools blocked by `pinTools`.
   *   For `isolation: 'session'` without an instance in use, the definitions that the next instance lists are approved
   * @throws MuxError SERVER_NOT_FOUND, START_FAILED (the server stays registered as crashed or failed; for session
   *   instances, only if all failed)
   */
  reloadServer(name: string, options?: ReloadServerOptions): Promise<ServerStatus>;
  /** Holds calls awaiting a person's approval. The guard `approvals` adds them; a host page or terminal answers. */
  readonly approvals: ApprovalDesk;
  /** Replaces `MuxOptions.exposure`. Clients are notified if their list of tools changes. */
  expose(exposure: ExposureOptions): void;
  /** Returns a running or idle server's lists, for `AddOptions.remembered` of a later mux; otherwise, undefined. */
  remember(name: string): RememberedLists | undefined;
  /**
   * Returns the servers that were added for all clients, in the order they were added.
   *
   * @param options.everywhere also lists servers of workspaces and sessions. For `isolation: 'session'` it lists the
   *   per-session instances instead of the template.
   */
  listServers(options?: { readonly everywhere?: boolean }): readonly ServerStatus[];
  /** Returns the tools whose definitions have changed since their approval or since the server's previous run. */
  listChangedTools(): readonly ChangedTool[];
  /** Returns the tools that `exposure` omits for a layer's clients that have no entry in `exposure.clients`. */
  listUnlistedTools(place?: ServerPlace): readonly string[];
  /** Returns the connected clients, in the order of connection. */
  listClients(): readonly ClientStatus[];
  /** Calls `listener` for every event with this name. Returns a function that removes the listener. */
  on<Name extends MuxEventName>(
    type: Name,
    listener: (event: MuxEventMap[Name]) => void,
    options?: ListenOptions,
  ): () => void;
  /**
   * Iterates over all events from now on, or over the events after `options.after`. The buffer is bounded: a slow
   * consumer receives an `events:missed` with the number of events that it missed.
   */
  events(options?: EventsOptions): AsyncIterableIterator<NumberedEvent | MissedEvents>;
  /** The `sequence` of the last event, for `options.after` of {@link events}; 0 before the first event. */
  readonly lastEvent: number;
  /**
   * Iterates over the messages between one client and mcpmux from now on, in both directions, until the client has
   * disconnected. Yields the first 100 messages, then 20 a second, and an `events:missed` with the number of the other
   * messages. The text of a message has at most 16,384 characters and no secrets. A request of more than 64 KiB has no
   * text. Messages are inspected only while an iterator exists.
   *
   * @param session the number from {@link listClients}; the result is undefined if that session is not connected
   */
  messages(session: number): AsyncIterableIterator<SessionMessage | MissedEvents> | undefined;
  /**
   * Answers each request in flight with an error at once, ends all sessions, and stops all servers. Resolves within
   * 2.5 s, when all processes have ended.
   */
  close(): Promise<void>;
}
