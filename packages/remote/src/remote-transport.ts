import type { LineParts } from './line-parts.js';
import type { Sending } from './sending.js';
import type { RemoteError } from './remote-error.js';
import type { Headers } from './request-headers.js';

/** A message on its way to a server. */
export interface RemoteMessage {
  /** Its bytes, without a newline. */
  readonly line: Buffer;
  /** Undefined for a response. */
  readonly method: string | undefined;
  /** Undefined for a message that has no answer. */
  readonly id: number | undefined;
  /** The headers of a request that describes its client, and needs no session. */
  readonly headers?: Headers | undefined;
}

/** How an attempt to listen to what the server says by itself has ended. */
export type ListenOutcome = 'open' | { readonly ended: RemoteError } | { readonly problem: RemoteError };

/** The events of a {@link RemoteTransport}, for its owner. */
export interface RemoteTransportEvents {
  /** A message of the server, in the parts in which it came. */
  line(parts: LineParts): void;
  /** The request with this id is at the server, and its answer comes by another way: it cannot be given up any more. */
  taken(id: number): void;
  /** The request with this id gets no further lines; `why` says what went wrong. */
  ended(id: number, why?: RemoteError): void;
  /** True if this request has no answer yet. */
  isAwaited(id: number): boolean;
  listened(outcome: ListenOutcome): void;
  /** Something went wrong that no message was waiting for. */
  trouble(error: unknown): void;
}

/** Carries the messages of one session with a server at a url. */
export interface RemoteTransport {
  /** The session as the server calls it. */
  readonly sessionId: string | undefined;
  start(): Promise<void>;
  /** Resolves when the server has taken the message. Rejects when it has not. */
  send(message: RemoteMessage, sending: Sending): Promise<void>;
  /** The revision that was agreed on goes into a header from now on. */
  agreed(protocolVersion: string): void;
  /** Tells the server that the session is over. */
  terminate(): Promise<void>;
  /** Opens nothing any more. */
  close(): void;
}

/** The messages that open a session. */
export interface SessionOpening {
  readonly request: string;
  readonly notification: string;
}
