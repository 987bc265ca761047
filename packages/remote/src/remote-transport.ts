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
  /** Undefined for a message without a response. */
  readonly id: number | undefined;
  /** The headers of a request that describes its client and needs no session. */
  readonly headers?: Headers | undefined;
}

/** The outcome of an attempt to open the stream for messages that the server sends by itself. */
export type ListenOutcome = 'open' | { readonly ended: RemoteError } | { readonly problem: RemoteError };

/** The events of a {@link RemoteTransport}, for its owner. */
export interface RemoteTransportEvents {
  /** Receives a message of the server, in the parts in which it arrived. */
  line(parts: LineParts): void;
  /**
   * Called when the server has accepted the request with this id and will respond on another connection. It can no
   * longer be aborted.
   */
  taken(id: number): void;
  /** Called when the request with this id gets no further lines. `why` is the error, if there is one. */
  ended(id: number, why?: RemoteError): void;
  /** True if this request has no response yet. */
  isAwaited(id: number): boolean;
  listened(outcome: ListenOutcome): void;
  /** Reports a problem that no message was waiting for. */
  trouble(error: unknown): void;
}

/** Transfers the messages of one session with a server at a URL. */
export interface RemoteTransport {
  /** The server's id for the session. */
  readonly sessionId: string | undefined;
  start(): Promise<void>;
  /** Resolves when the server has accepted the message. Rejects if it has not. */
  send(message: RemoteMessage, sending: Sending): Promise<void>;
  /** Sends the agreed protocol revision in a header from now on. */
  agreed(protocolVersion: string): void;
  /** Reports the end of the session to the server. */
  terminate(): Promise<void>;
  /** Closes the transport, which then opens no more requests. */
  close(): void;
}

/** The messages that open a session. */
export interface SessionOpening {
  readonly request: string;
  readonly notification: string;
}
