import type { Channel, SdkTransport, StreamPair } from '@mcpmux/wire';
import type { Principal } from '../guards/principal.js';
import type { ClientSession } from './client-session.js';
import type { Isolation } from '../registry/layers.js';

/**
 * Connection of one client: byte streams, a channel of lines for any other way to carry bytes, or a transport of an
 * official SDK, whose messages are parsed and serialized again.
 */
export type ClientLink = StreamPair | Channel | SdkTransport;

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
