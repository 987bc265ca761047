import type { LineParts } from './line-parts.js';
import type { Sending } from './sending.js';
import type { RemoteError } from './remote-error.js';
import type { Headers } from './request-headers.js';

/** An outgoing message to a server. */
export interface RemoteMessage {
  /** The bytes of the message, without a newline. */
  readonly line: Buffer;
  /** Undefined for a response. */
  readonly method: string | undefined;
  /** Undefined for a message that expects no response. */
  readonly id: number | undefined;
  /** The headers of a request that describes its client and needs no session. */
  readonly headers?: Headers | undefined;
}

/** The outcome of an attempt to open the stream for messages that belong to no request. */
export type ListenOutcome = 'open' | { readonly ended: RemoteError } | { readonly problem: RemoteError };

/** The events of a {@link RemoteTransport}, for its owner. */
export interface RemoteTransportEvents {
  /** Receives a message from the server, as the list of parts in which it arrived. */
  line(parts: LineParts): void;
  /**
   * Called when the server has accepted the request with this id and will respond on another connection. The request
   * can no longer be aborted.
   */
  onAccepted(id: number): void;
  /** Called when no more lines for the request with this id will arrive. `why` is the error, if any. */
  onEnded(id: number, why?: RemoteError): void;
  /** Returns true if this request has no response yet. */
  isAwaited(id: number): boolean;
  onListenOutcome(outcome: ListenOutcome): void;
  /** Reports a problem that does not concern a waiting message. */
  reportProblem(error: unknown): void;
}

/** Transfers the messages of one session with a server at a URL. */
export interface RemoteTransport {
  /** The session id that the server has assigned. */
  readonly sessionId: string | undefined;
  start(): Promise<void>;
  /** Resolves when the server has accepted the message, and rejects if it does not accept it. */
  send(message: RemoteMessage, sending: Sending): Promise<void>;
  /** Makes all later requests send the agreed protocol revision in a header. */
  setProtocolVersion(protocolVersion: string): void;
  /** Reports the end of the session to the server. */
  terminate(): Promise<void>;
  /** Closes the transport, which then sends no more requests. */
  close(): void;
}

/** The methods of the messages that open a session. */
export interface SessionOpening {
  readonly request: string;
  readonly notification: string;
}
