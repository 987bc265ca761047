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

/** A handle to a workspace, whose servers only its own sessions see. */
export interface MuxWorkspace extends Pick<Mux, 'addServer'> {
  /** Removes a server, as {@link Mux.removeServer} does. */
  removeServer(name: string): Promise<void>;
  /** Returns the lists of one of the workspace's servers, as {@link Mux.remember} does. */
  remember(name: string): RememberedLists | undefined;
  /** Removes the workspace's servers. Resolves when all their processes have ended. */
  close(): Promise<void>;
}

/** Presents any number of MCP servers to clients as one MCP server. */
export interface Mux extends HostRequests, AsyncDisposable {
  /** Identifies this mux. Requests to remote servers contain it in the {@link INSTANCE_HEADER} header. */
  readonly instanceId: string;
  /** Opens a session for one client. Several clients may be connected at the same time. */
  connect(link: ClientLink, options?: ConnectOptions): ClientSession;
  /**
   * Opens a workspace. Only sessions in it (`ConnectOptions.workspace`) see the servers that the host adds to it. The
   * workspace stays open until it is closed, even without sessions.
   */
  openWorkspace(name: string): MuxWorkspace;
  /**
   * Serves one message without a connection, as {@link connect} serves each line. In revision 2026-07-28, a request
   * declares the caller's capabilities, and the servers' requests to the caller are part of the response. In earlier
   * revisions, the servers' requests are refused. Servers with `isolation: 'session'` are absent.
   *
   * @param message one JSON-RPC message, as JSON text without a newline
   * @param reply receives each outgoing line, without its newline: any progress first, and the response last, with
   * `isResponse` set to true
   * @returns resolves after the last line; rejects with the error that `reply` threw
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
  /** Adds a guard for requests with one method. */
  use<Method extends string>(method: Method, handle: GuardHandler<Method>): () => void;
  /**
   * Registers a server and starts it. Resolves once the server is running.
   *
   * @param config If it is unusable, or an {@link UnusableConfig}, the server does not start and counts as failed. With
   * `keepsFailed`, it stays registered with the reason.
   * @throws NamespaceError for an illegal name
   * @throws MuxError SERVER_EXISTS, START_FAILED (the server is then not registered, unless `keepsFailed` is set),
   * SERVER_REMOVED, CLOSED
   */
  addServer(
    name: string,
    config: ServerConfig | StreamConfig | TransportConfig | UnusableConfig,
    options?: AddOptions,
  ): Promise<ServerStatus>;
  /**
   * Unregisters a server at once. Resolves when its processes have ended.
   *
   * @param options.layer the layer of a server in a workspace or session, from the server's status
   * @param options.isMoved true if the errors for calls in flight must state that the server has moved
   * @param options.haste a signal: when it is aborted, calls in flight get no more time, and the processes get SIGTERM
   * at once and SIGKILL 0.5 s later. Otherwise, calls get 1 s, then stdin ends, SIGTERM follows after 2 s, and SIGKILL
   * 2 s after that
   * @throws MuxError SERVER_NOT_FOUND
   */
  removeServer(name: string, options?: RemoveServerOptions): Promise<void>;
  /**
   * Stops a server and starts it with the same configuration. Resolves once it is running. For `isolation: 'session'`,
   * restarts only the session instances that are in use (not idle).
   *
   * @param options.approve approves the tool definitions after the reload, which unblocks tools blocked by `pinTools`.
   * For `isolation: 'session'` without an instance in use, approves the definitions that the next instance lists
   * @throws MuxError SERVER_NOT_FOUND, START_FAILED (the server stays registered as crashed or failed; for session
   * instances, only if all failed)
   */
  reloadServer(name: string, options?: ReloadServerOptions): Promise<ServerStatus>;
  /** The calls that await a person's approval. The guard `approvals` adds them; the host's page or terminal decides. */
  readonly approvals: ApprovalDesk;
  /** Replaces `MuxOptions.exposure`. Clients are notified if their lists of tools change. */
  expose(exposure: ExposureOptions): void;
  /**
   * Returns a server's lists, for `AddOptions.remembered` of a later mux, or undefined if it is not running or idle.
   */
  remember(name: string): RememberedLists | undefined;
  /**
   * Returns the servers shared by all clients, in the order they were added.
   *
   * @param options.everywhere if true, also lists the servers of workspaces and sessions, and lists session instances
   * instead of session templates
   */
  listServers(options?: { readonly everywhere?: boolean }): readonly ServerStatus[];
  /** Returns the tools whose definitions have changed since they were approved or since the server's previous run. */
  listChangedTools(): readonly ChangedTool[];
  /**
   * Returns the tools that `exposure` omits for those of a layer's clients that have no entry in `exposure.clients`.
   */
  listUnlistedTools(place?: ServerPlace): readonly string[];
  /** Returns the connected clients, in the order in which they connected. */
  listClients(): readonly ClientStatus[];
  /** Calls `listener` for every event with this name. Returns a function that removes the listener. */
  on<Name extends MuxEventName>(
    type: Name,
    listener: (event: MuxEventMap[Name]) => void,
    options?: ListenOptions,
  ): () => void;
  /**
   * Iterates over all events from now on, or over the events after `options.after`. The buffer is bounded: a slow
   * consumer misses events, and receives their number as `events:missed`.
   */
  events(options?: EventsOptions): AsyncIterableIterator<NumberedEvent | MissedEvents>;
  /** The `sequence` of the last event, for `options.after` of {@link events}; 0 before the first event. */
  readonly lastEvent: number;
  /**
   * Iterates over the messages between one client and mcpmux in both directions, until the client disconnects. Yields
   * the first 100 messages, then at most 20 per second; `events:missed` counts the rest. A message's text has at most
   * 16,384 characters, and secrets are redacted. A request above 64 KiB has no text. Messages are inspected only while
   * an iterator exists.
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
