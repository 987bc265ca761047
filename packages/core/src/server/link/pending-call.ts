import type { BorrowedLine, Message, OwnedLine, Span } from '@mcpmux/wire';
import type { CallFailure } from './run-failure.js';

/** A response as it came from the server. */
export type ServerResponse = Extract<Message, { kind: 'response' }>;

/** The request that a call carries out. */
export interface CallOrigin {
  /** The client that sent it. Calls of different clients never hold each other up. */
  readonly client: object;
}

/** Waits for one call: gets any number of progress lines, then exactly one of the other two. */
export interface PendingCall {
  readonly exchange: CallOrigin;
  /** A progress notification; `token` is where the token stands that mcpmux put into the call. */
  progress(line: OwnedLine, token: Span): void;
  /** The line is gone at the end of the read scope: whoever stores it calls `toOwned`. */
  respond(line: BorrowedLine, response: ServerResponse): void;
  fail(failure: CallFailure): void;
}

/** A notification as it came from the server. */
export type ServerNotification = Extract<Message, { kind: 'notification' }>;

/** A request as it came from the server. */
export type ServerRequest = Extract<Message, { kind: 'request' }>;

/** The holder of an open request of a server to a client. */
export interface OpenRequest {
  /** The server does not want the answer any more; `requestId` is where the id stands in its notification. */
  cancelled(notification: OwnedLine, requestId: Span): void;
  /** The server's run is over. */
  abandoned(): void;
}
