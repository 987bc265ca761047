import type { SdkTransport, StreamPair } from '@mcpmux/wire';
import type { Clock } from '../base/clock.js';
import type { CallOptions, CallToolResult } from '../downstream/session/local-client.js';
import type { Guard, GuardHandler } from '../guards/guard.js';
import type { Principal } from '../guards/principal.js';
import type { Limits } from '../base/limits.js';
import type { Logger } from '../base/logger.js';
import type { AddPolicy } from '../tools/policy/add-policy.js';
import type { InstanceDirectory } from '../tools/context/instances.js';
import type { ServerStore } from '../tools/context/server-store.js';
import type { ServerStatus } from '../tools/status/server-status.js';
import type { MuxEvent, MuxEventMap, MuxEventName } from './mux-events.js';
import type { SpawnProcess } from '../process/server-process.js';
import type { LoginStore } from '../remote/login-store.js';
import type { Isolation } from '../registry/layers.js';
import type { LoadRemoteTransports } from '../remote/remote-transport.js';
import type { Implementation } from '../dialect/server-identity.js';
import type { RememberedLists } from '../upstream/lists/remembered-lists.js';
import type { PinMode } from '../upstream/lists/tool-pins.js';
import type { ToolFilter } from '../upstream/lists/tool-filter.js';
import type { ServerConfig } from '../upstream/config/server-config.js';

/** How a mux behaves. Everything has a default. */
export interface MuxOptions {
  /** How the mux introduces itself to clients and servers. */
  readonly implementation?: Implementation;
  /** Longest tool name shown to clients, in characters; longer ones are fitted. At least 16. */
  readonly nameBudget?: number;
  readonly limits?: Partial<Limits>;
  /** What clients may start with the tool `add_server`; everything when absent. {@link Mux.addServer} may always. */
  readonly addPolicy?: AddPolicy;
  /** What happens to a tool whose definition changes after it was first seen: it is told (`warn`) when absent. */
  readonly pinTools?: PinMode;
}

/** What a mux works with. A host replaces what it wants to control; everything has a default. */
export interface MuxComponents {
  readonly logger?: Logger;
  readonly clock?: Clock;
  /** Starts the processes of servers. */
  readonly spawn?: SpawnProcess;
  /** How servers at urls are reached: by the transports of `@modelcontextprotocol/client`, loaded for the first of them. */
  readonly remoteTransports?: LoadRemoteTransports;
  /** Where the logins of the user are, for servers whose configuration says `login`. */
  readonly logins?: LoginStore;
  /** The environment that servers inherit; that of the host's process by default. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Keeps servers that agents add with `persist`; without it they are refused. */
  readonly persist?: ServerStore;
  /** Finds other instances, and gives clients the tools for them; there are none without it. */
  readonly instances?: InstanceDirectory;
}

/** One client's way to the mux: byte streams (nothing is parsed that need not be), or a transport of an official SDK. */
export type Link = StreamPair | SdkTransport;

/** A connected client. */
export interface ClientSession {
  /** Resolves when the client has gone, or was sent away, and nothing more will be sent to it. */
  readonly closed: Promise<void>;
  /** Ends the session: what is in flight is answered, what is queued is sent. */
  close(): Promise<void>;
}

/** How a client is connected. */
export interface ConnectOptions extends Isolation {
  /** What guards are told of it; `local`, without roles and rights, when absent. */
  readonly principal?: Principal;
}

/** The caller of one message that comes without a connection. */
export interface RequestCaller extends Pick<ConnectOptions, 'principal' | 'workspace'> {
  /** Aborted when nobody waits for the answer any more: the request is cancelled at its server. */
  readonly signal?: AbortSignal;
}

/** How a server is added. */
export interface AddOptions {
  /** A server that does not start stays registered as crashed: clients see why, and can reload it. */
  readonly keepsFailed?: boolean;
  /** What clients see of its tools; all of them, as they are, when absent. */
  readonly tools?: ToolFilter;
  /**
   * What it listed in an earlier mux, as `remember` gave it. Clients see that until the server has started, and what they
   * ask for waits until then.
   */
  readonly remembered?: RememberedLists;
}

/** One MCP server in front, any number behind it. */
export interface Mux extends AsyncDisposable {
  /** Opens a session for one client. Several may be connected at the same time. */
  connect(link: Link, options?: ConnectOptions): ClientSession;
  /**
   * Serves one message without a connection; {@link connect} hands each line of its link to the same code. The caller has
   * no capabilities: a server that asks it something is refused. Servers with `isolation: 'session'` are not there.
   *
   * @param message one JSON-RPC message, JSON without a newline
   * @param reply takes each line that belongs to the message, without its newline: progress, and last the response
   * @returns resolves when no further answer follows; rejects with the error that `reply` threw
   * @throws MuxError CLOSED, and INVALID_MESSAGE for a message that holds a newline
   */
  handle(message: Uint8Array, caller: RequestCaller, reply: (line: Uint8Array) => void): Promise<void>;
  /**
   * Adds a guard, inside of those that are there: the first is outermost. Requests already on their way do not pass it.
   * Returns the function that takes it out again.
   */
  use(guard: Guard): () => void;
  /** Adds a guard of the requests of one method. */
  use<Method extends string>(method: Method, handle: GuardHandler<Method>): () => void;
  /**
   * Registers a server and starts it. Resolves when it runs.
   *
   * @throws NamespaceError for an illegal name
   * @throws MuxError SERVER_EXISTS, START_FAILED (it is not registered then, unless `keepsFailed` is set),
   *   SERVER_REMOVED, CLOSED
   */
  addServer(name: string, config: ServerConfig, options?: AddOptions): Promise<ServerStatus>;
  /**
   * Unregisters a server at once. Resolves when its processes are gone.
   *
   * @throws MuxError SERVER_NOT_FOUND
   */
  removeServer(name: string): Promise<void>;
  /**
   * Stops a server and starts it from the same configuration. Resolves when it runs. Of one with `isolation: 'session'`,
   * those that sessions use are started again.
   *
   * @param options.approve what its tools are then counts as approved: it unblocks what `pinTools` has blocked. Where no
   *   session uses one with `isolation: 'session'`, that is what the next to start lists
   * @throws MuxError SERVER_NOT_FOUND, START_FAILED (it stays registered as crashed; of several, when all have failed)
   */
  reloadServer(name: string, options?: { readonly approve?: boolean }): Promise<ServerStatus>;
  /** What a server lists now, for `AddOptions.remembered` of a later mux; undefined unless it runs or sleeps. */
  remember(name: string): RememberedLists | undefined;
  /**
   * The servers that were added for all clients, in the order they were added.
   *
   * @param options.everywhere those of workspaces and of single sessions too; and what sessions have of a server with
   *   `isolation: 'session'`, not what they have it from
   */
  listServers(options?: { readonly everywhere?: boolean }): readonly ServerStatus[];
  /**
   * Calls a tool by the name it is listed under. A tool that fails resolves to a result with `isError`.
   *
   * @throws MuxError CALL_FAILED for a protocol error such as an unknown tool, CANCELLED, CLOSED
   */
  callTool(
    name: string,
    args?: Readonly<Record<string, unknown>>,
    options?: CallOptions,
  ): Promise<CallToolResult>;
  /** Calls `listener` for every event of that name. Returns the function that ends it. */
  on<Name extends MuxEventName>(type: Name, listener: (event: MuxEventMap[Name]) => void): () => void;
  /** Every event from now on. The buffer is bounded: a loop that does not keep up loses the oldest. */
  events(): AsyncIterableIterator<MuxEvent>;
  /** Answers what is in flight, ends all sessions and stops all servers. Resolves within 2.5 s, when all are gone. */
  close(): Promise<void>;
}
