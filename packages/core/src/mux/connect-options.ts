import {
  type Channel,
  type SdkTransport,
  type StreamPair,
  StreamChannel,
  TransportChannel,
} from '@mcpmux/wire';
import type { AllLimits } from '@mcpmux/kit';
import type { Principal } from '../guards/principal.js';
import type { WaitSignal } from '../client/session/stateless-messages.js';
import type { ClientSession } from './client-session.js';
import type { Isolation } from '../server/registry/layers.js';

/**
 * The connection to one client: byte streams, a channel of lines for other kinds of transport, or a transport of an
 * official SDK, whose messages are parsed and serialized again.
 */
export type ClientLink = StreamPair | Channel | SdkTransport;

/** Options of {@link Mux.connect}. */
export interface ConnectOptions extends Isolation {
  /** Identity of the client, passed to guards. Defaults to `local`, with no roles or rights. */
  readonly principal?: Principal;
  /** Until the promise settles, requests that need servers wait. For a host that registers its servers later. */
  readonly heldUntil?: Promise<unknown>;
  /**
   * Called for each request until `heldUntil` settles, with false for a request that only needs mcpmux's identity. Some
   * clients start a process only to send such a request.
   */
  readonly onRequest?: (needsServers: boolean) => void;
  /** A connected client whose layer the new session uses. The new session ends when that client's session ends. */
  readonly beside?: ClientSession;
  /**
   * The name of the only server that the client sees. Its tools and prompts have their local names, and mcpmux's own
   * tools are absent. Intended for a client that is another mux. Every tool is visible to the principal.
   */
  readonly server?: string;
  /** The prefix for ids of requests to the client; `mux` when absent. A client of an earlier mux needs a new prefix. */
  readonly requestIds?: string;
}

/** The caller of one message that is sent without a connection. */
export interface RequestCaller extends Pick<ConnectOptions, 'principal' | 'workspace'> {
  /**
   * If true, mcpmux refuses `add_server`, because the server would belong to the caller's session only, and a message
   * without a connection has no session. False when absent.
   */
  readonly isolated?: boolean;
  /**
   * The caller's layer, as in {@link ServerStatus}. The caller sees what clients in that layer see, and adds servers to
   * it. Only for callers that may see the servers of every client. When absent, `workspace` decides.
   */
  readonly layer?: string | undefined;
  /**
   * Returns the value of the header that repeats a tool's parameter (`x-mcp-header`), given its lower-case name. A call
   * whose headers differ from its arguments is refused. When absent, headers are not compared.
   */
  readonly parameter?: ((name: string) => string | undefined) | undefined;
  /** Aborted when the caller no longer waits for the answer. The request is then cancelled at its server. */
  readonly signal?: WaitSignal | undefined;
  /** Aborted when the caller needs an answer now. A request for notifications then ends normally; others fail. */
  readonly ending?: WaitSignal | undefined;
}

/** True for two separate byte streams, such as the ends of two pipes. One stream for both directions is a socket. */
export function isStdioLink(link: ClientLink): boolean {
  return 'input' in link && !Object.is(link.input, link.output);
}

/** Returns the link itself if it is a channel, or else a channel over its streams or its transport. */
export function linkChannel(link: ClientLink, limits: AllLimits): Channel {
  const { maxLineBytes, maxEndlessLineBytes, maxClientQueueBytes } = limits;
  if ('open' in link) return link;
  const highWatermarkBytes = limits.clientHighWatermarkBytes;
  return 'start' in link
    ? new TransportChannel(link, { highWatermarkBytes, maxHeldBytes: maxClientQueueBytes })
    : new StreamChannel(link, { maxLineBytes, maxEndlessLineBytes, highWatermarkBytes });
}
