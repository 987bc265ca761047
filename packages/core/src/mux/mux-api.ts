import type { Channel, SdkTransport, StreamPair } from '@mcpmux/wire';
import type { Clock } from '../base/clock.js';
import type { ClientStatus } from '../downstream/session/client-status.js';
import type { Guard, GuardHandler } from '../guards/guard.js';
import type { Principal } from '../guards/principal.js';
import type { Limits } from '../base/limits.js';
import type { HostLogger } from '../base/host-logger.js';
import type { AddPolicy } from '../tools/policy/add-policy.js';
import type { InstanceDirectory } from '../tools/context/instances.js';
import type { ServerStore } from '../tools/context/server-store.js';
import type { ExposureOptions } from '../exposure/exposure-options.js';
import type { ChangedTool } from '../tools/status/changed-tools.js';
import type { ServerStatus } from '../tools/status/server-status.js';
import type { ClientSession } from './client-session.js';
import type { MissedEvents } from './event-inbox.js';
import type { SessionMessage } from './shown-message.js';
import type { HostRequests } from './host-requests.js';
import type { EventsOptions, ListenOptions, MuxEventMap, MuxEventName, NumberedEvent } from './mux-events.js';
import type { SpawnProcess } from '../process/server-process.js';
import type { LoginStore } from '../remote/login-store.js';
import type { Isolation } from '../registry/layers.js';
import type { Era } from '../dialect/era.js';
import type { Implementation } from '../dialect/server-identity.js';
import type { RememberedLists } from '../upstream/lists/remembered-lists.js';
import type { PinMode } from '../upstream/lists/tool-pins.js';
import type { ToolFilter } from '../upstream/lists/tool-filter.js';
import type {
  ServerConfig,
  StreamConfig,
  TransportConfig,
  UnusableConfig,
} from '../upstream/config/server-config.js';

/** Settings of a mux. Each has a default. */
export interface MuxOptions {
  /** Name and version that the mux sends to clients and servers in `initialize`. */
  readonly implementation?: Implementation;
  /** Longest tool name shown to clients, in characters; longer names are shortened. At least 16. */
  readonly nameBudget?: number;
  readonly limits?: Partial<Limits>;
  /**
   * Restricts the tool `add_server`, and `remove_server` and `reload_server` for servers that their caller has not added.
   * When absent: no restriction for stdio (two byte streams) and for the host itself, `deny` for every other link. Does
   * not apply to {@link Mux.addServer}.
   */
  readonly addPolicy?: AddPolicy;
  /** Action for a tool whose definition changes after it was first seen; `warn`, which only reports, when absent. */
  readonly pinTools?: PinMode;
  /** Which tools stand in the `tools/list` of clients; all when absent. {@link Mux.expose} replaces it. */
  readonly exposure?: ExposureOptions;
  /**
   * Era in which a server is tried first, where nothing else decides it; absent: that of the only client, `modern` for
   * several clients, `legacy` while there is none. A host that expects many clients says `modern`.
   */
  readonly firstEra?: Era;
  /** What servers speak whose configuration names no `protocol`; `auto`, which finds it out, when absent. */
  readonly protocol?: 'auto' | Era;
  /**
   * True: the first `tools/list` of every client waits for servers that are starting, for `firstListMs` at most. False:
   * no list waits. When absent, only clients wait that are known to ignore `list_changed`, such as Codex.
   */
  readonly waitForServers?: boolean;
  /**
   * The clients are windows of one user. They share the servers of the host; what a client adds is its own unless it says
   * `scope: "all"`, and no client removes servers of the host. False when absent.
   */
  readonly hasWindows?: boolean;
  /**
   * Key, 32 bytes, that seals the `requestState` of answers with questions (revision 2026-07-28); random when absent.
   * Muxes that share a key recognize each other's states, and tell a client whose retry reached the wrong one so: the
   * call itself goes on only in the mux that received it.
   */
  readonly requestStateKey?: Uint8Array;
}

/** Replaceable components of a mux. All are optional. */
export interface MuxComponents {
  /** The destination of log records: a `Logger`, `console`, or a logger such as that of pino; none when absent. */
  readonly logger?: HostLogger;
  readonly clock?: Clock;
  /** Starts the processes of servers. */
  readonly spawn?: SpawnProcess;
  /** Stores the logins of the user, for servers whose configuration sets `login`. */
  readonly logins?: LoginStore;
  /** The environment that servers inherit; the environment of the host's process by default. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Stores servers that agents add with `persist`; without a store `persist` is refused. */
  readonly persist?: ServerStore;
  /**
   * Reads the HTML of a page that shows the answer of `list_servers` (MCP Apps), offered to clients that declare
   * `io.modelcontextprotocol/ui`; without it the tool has no page. The package `@mcpmux/dashboard` has one.
   */
  readonly overviewApp?: () => Promise<string>;
  /** Finds other instances of mcpmux. Clients get the tools for instances only if this is set. */
  readonly instances?: InstanceDirectory;
}

/**
 * Connection of one client: byte streams, a channel of lines for any other way to carry bytes, or a transport of an
 * official SDK, whose messages are parsed and serialized again.
 */
export type Link = StreamPair | Channel | SdkTransport;

/** Options of {@link Mux.connect}. */
export interface ConnectOptions extends Isolation {
  /** Identity of the client, passed to guards; `local`, without roles and rights, when absent. */
  readonly principal?: Principal;
  /** Requests that need servers wait until this settles, for a host that registers its servers later. */
  readonly heldUntil?: Promise<unknown>;
  /**
   * Told of each request until `heldUntil` settles: false for one that only asks what mcpmux is. Some clients start a
   * process for that request alone, and servers need not be started for it.
   */
  readonly onRequest?: (needsServers: boolean) => void;
  /** Another client: this one sees what that one has added, adds servers where that one does, and ends with it. */
  readonly beside?: ClientSession;
  /**
   * The only server that the client gets, by name. Its tools and prompts have the names that the server itself gives, and
   * mcpmux has no tools of its own. For another mux, which has the server as one of its own; the principal then sees
   * all of it.
   */
  readonly server?: string;
  /** Begins the ids of requests to the client; `mux` when absent. Another one where the client knows ids of an earlier mux. */
  readonly requestIds?: string;
}

/** Servers of the host for the sessions of one workspace. */
export interface MuxWorkspace extends Pick<Mux, 'addServer' | 'removeServer'> {
  /** Removes the servers. Resolves when all their processes have ended. */
  close(): Promise<void>;
}

/** The caller of one message that is sent without a connection. */
export interface RequestCaller extends Pick<ConnectOptions, 'principal' | 'workspace'> {
  /**
   * True: `add_server` is refused. The server would belong to the session of its caller alone, and a message without a
   * connection has no session. False when absent.
   */
  readonly isolated?: boolean;
  /**
   * The text of the header that repeats a parameter of a tool (`x-mcp-header`), by the name in lower case. A call whose
   * headers differ from its arguments is refused. No headers are compared when absent.
   */
  readonly parameter?: ((name: string) => string | undefined) | undefined;
  /** Aborted when the caller no longer waits for the answer. The request is then cancelled at its server. */
  readonly signal?: AbortSignal | undefined;
  /** Aborted when the caller must be answered at once: a request for notifications ends in order, any other one fails. */
  readonly ending?: AbortSignal | undefined;
}

/** Options of {@link Mux.addServer}. */
export interface AddOptions {
  /** Keeps a server that fails to start registered, as crashed or failed. Clients see the reason, and can reload the server. */
  readonly keepsFailed?: boolean;
  /**
   * Reads the configuration of the server anew, for a reload while its configuration cannot be used (status `failed`).
   * Has no other effect: the policy and the user decide about the reload after it.
   * An error that it throws is the reason for which the server stays failed. The configuration stays when absent.
   */
  readonly reread?: () => RereadServer;
  /** Hides, renames or re-describes tools of the server; clients see all tools unchanged when absent. */
  readonly tools?: ToolFilter;
  /**
   * Lists of the server from an earlier mux, as returned by `remember`. Clients see these lists until the server has
   * started. Their requests to the server wait until then.
   */
  readonly remembered?: RememberedLists;
  /** Why these clients share the server, or why each has a run of its own: for `list_servers`, with `MuxOptions.hasWindows`. */
  readonly scopeReason?: string | undefined;
}

/** A configuration that was read anew, see {@link AddOptions.reread}. */
export interface RereadServer extends Pick<AddOptions, 'tools' | 'remembered'> {
  readonly config: ServerConfig | UnusableConfig;
  /** Called when the server is registered with this configuration. It is not if the policy or the user refuses the reload. */
  readonly registered?: () => void;
}

/** Presents any number of MCP servers to clients as one MCP server. */
export interface Mux extends HostRequests, AsyncDisposable {
  /** Tells this mux from every other. Requests to servers at urls have it in the header {@link INSTANCE_HEADER}. */
  readonly instanceId: string;
  /** Opens a session for one client. Several may be connected at the same time. */
  connect(link: Link, options?: ConnectOptions): ClientSession;
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
   * @throws MuxError SERVER_NOT_FOUND
   */
  removeServer(name: string): Promise<void>;
  /**
   * Stops a server and starts it from the same configuration. Resolves once it runs. For `isolation: 'session'`,
   * only the per-session instances that are in use (not idle) are restarted.
   *
   * @param options.approve approves the tool definitions after the reload: it unblocks tools blocked by `pinTools`. For
   *   `isolation: 'session'` without an instance in use, the definitions that the next instance lists are approved
   * @throws MuxError SERVER_NOT_FOUND, START_FAILED (the server stays registered as crashed or failed; instances: if all failed)
   */
  reloadServer(name: string, options?: { readonly approve?: boolean }): Promise<ServerStatus>;
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
  /** The names of the tools that clients without a name of their own in `exposure` do not have in their lists. */
  unlistedTools(): readonly string[];
  /** The clients that are connected, the one that came first at the beginning. */
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
  /**
   * Iterates over the messages between one client and mcpmux from now on, in both directions, until the client has gone.
   * The first 100 are listed, and then 20 a second: the number of all others comes in an `events:missed`. Texts have at
   * most 16,384 characters and no secrets; a request of more than 64 KiB has none. Nothing is read of a session that
   * nobody watches.
   *
   * @param session the number of {@link listClients}; undefined is returned for one that is not connected
   */
  messages(session: number): AsyncIterableIterator<SessionMessage | MissedEvents> | undefined;
  /** Answers requests in flight, ends all sessions, stops all servers. Resolves within 2.5 s, once all have ended. */
  close(): Promise<void>;
}
