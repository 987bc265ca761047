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

/** Options for {@link Mux.connect}. */
export interface ConnectOptions extends Isolation {
  /** The client's identity, which guards receive. Defaults to `local`, with no roles or rights. */
  readonly principal?: Principal;
  /** Requests that need servers wait until this promise settles. For a host that adds its servers after connecting. */
  readonly heldUntil?: Promise<unknown>;
  /**
   * Called for each request until `heldUntil` settles, with false for a request that only needs mcpmux's identity. Some
   * clients start a process only to send such a request.
   */
  readonly onRequest?: (needsServers: boolean) => void;
  /** A connected client whose layer the new session shares. The new session ends when that client's session ends. */
  readonly beside?: ClientSession;
  /**
   * The name of the only server that the client sees, for a client that is another mux. The server's tools and prompts
   * have their local names, every tool is visible to the principal, and mcpmux's own tools are absent.
   */
  readonly server?: string;
  /**
   * The prefix for ids of requests to the client. Defaults to `mux`. A client that was connected to an earlier mux
   * needs a new prefix, so that ids stay unique.
   */
  readonly requestIds?: string;
}

/** The caller of one message that arrives without a connection. */
export interface RequestCaller extends Pick<ConnectOptions, 'principal' | 'workspace'> {
  /**
   * If true, mcpmux rejects `add_server`, because the server would belong only to the caller's session, which a message
   * without a connection does not have. Defaults to false.
   */
  readonly isolated?: boolean;
  /**
   * The id of the caller's layer, from {@link ServerStatus}. The caller sees what clients in that layer see, and adds
   * servers to it. Only for callers that may see every client's servers. When absent, `workspace` selects the layer.
   */
  readonly layer?: string | undefined;
  /**
   * Returns the value of the HTTP header that repeats a tool argument (`x-mcp-header`), by the header's lower-case
   * name. A call whose headers differ from its arguments is refused. When absent, headers are not compared.
   */
  readonly parameter?: ((name: string) => string | undefined) | undefined;
  /** Aborted when the caller is no longer waiting for the response. The request is then cancelled on its server. */
  readonly signal?: WaitSignal | undefined;
  /** Aborted when the caller needs a response immediately. A subscription then ends normally; other requests fail. */
  readonly ending?: WaitSignal | undefined;
}

/**
 * Returns true for two separate byte streams, such as stdin and stdout, and false for a socket, which is one stream.
 */
export function isStdioLink(link: ClientLink): boolean {
  return 'input' in link && !Object.is(link.input, link.output);
}

/** Returns the link itself if it is a channel; otherwise, wraps its streams or its transport in a channel. */
export function linkChannel(link: ClientLink, limits: AllLimits): Channel {
  const { maxLineBytes, maxEndlessLineBytes, maxClientQueueBytes } = limits;
  if ('open' in link) return link;
  const highWatermarkBytes = limits.clientHighWatermarkBytes;
  return 'start' in link
    ? new TransportChannel(link, { highWatermarkBytes, maxHeldBytes: maxClientQueueBytes })
    : new StreamChannel(link, { maxLineBytes, maxEndlessLineBytes, highWatermarkBytes });
}
