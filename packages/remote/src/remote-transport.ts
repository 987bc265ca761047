import type { LineParts } from './line-parts.js';
import type { Sending } from './sending.js';
import type { RemoteError } from './remote-error.js';
import type { Headers } from './request-headers.js';

/** A message to send to a server. */
export interface RemoteMessage {
  /** The bytes of the message, without a newline. */
  readonly line: Buffer;
  /** The method. Undefined for a response. */
  readonly method: string | undefined;
  /** The request's id. Undefined for a message that expects no response. */
  readonly id: number | undefined;
  /** The headers for a request that describes its client and needs no session. */
  readonly headers?: Headers | undefined;
}

/** The result of trying to open the stream for messages that belong to no request. */
export type ListenOutcome = 'open' | { readonly ended: RemoteError } | { readonly problem: RemoteError };

/** The events of a {@link RemoteTransport}. */
export interface RemoteTransportEvents {
  /** Receives a message from the server, as the list of chunks in which it arrived. */
  line(parts: LineParts): void;
  /**
   * Called when the server has accepted the request with this id and will respond on another connection, so the request
   * can no longer be aborted.
   */
  onAccepted(id: number): void;
  /** Called when no more lines for the request with this id will arrive. `why` is the error, if any. */
  onEnded(id: number, why?: RemoteError): void;
  /** Returns true while this request has no response. */
  isAwaited(id: number): boolean;
  onListenOutcome(outcome: ListenOutcome): void;
  /** Reports a problem that does not concern any pending message. */
  reportProblem(error: unknown): void;
}

/** Exchanges the messages of one session with a remote server. */
export interface RemoteTransport {
  /** The session id that the server has assigned. */
  readonly sessionId: string | undefined;
  start(): Promise<void>;
  /** Resolves when the server has accepted the message. Rejects if the server rejects it or cannot be reached. */
  send(message: RemoteMessage, sending: Sending): Promise<void>;
  /** From now on, sends the agreed protocol revision in a header of every request. */
  setProtocolVersion(protocolVersion: string): void;
  /** Notifies the server that the session has ended. */
  terminate(): Promise<void>;
  /** Closes the transport. It sends no more requests. */
  close(): void;
}

/** The methods of messages that open a session. */
export interface SessionOpening {
  readonly request: string;
  readonly notification: string;
}
