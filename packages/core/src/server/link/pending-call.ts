import type { BorrowedLine, Message, OwnedLine, Span } from '@mcpmux/wire';
import type { CallFailure } from './run-failure.js';

/** A parsed response from a server. */
export type ServerResponse = Extract<Message, { kind: 'response' }>;

/** The origin of a call: a client or mcpmux itself. */
export interface CallOrigin {
  /**
   * The client that sent the call, or a placeholder if mcpmux sent it. The flow gate compares these objects by
   * identity.
   */
  readonly client: object;
}

/** Receives the outcome of one call: any number of progress notifications, then exactly one response or failure. */
export interface PendingCall {
  readonly exchange: CallOrigin;
  /**
   * Called for each progress notification. `token` is the span, in `line`, of the token that mcpmux inserted into the
   * call.
   */
  onProgress(line: OwnedLine, token: Span): void;
  /** Called with the response. `line` is valid only until the end of the read scope; call `toOwned` to keep it. */
  onResponse(line: BorrowedLine, response: ServerResponse): void;
  fail(failure: CallFailure): void;
}

/** A parsed notification from a server. */
export type ServerNotification = Extract<Message, { kind: 'notification' }>;

/** A parsed request from a server. */
export type ServerRequest = Extract<Message, { kind: 'request' }>;

/** An unanswered request from a server to a client. */
export interface OpenRequest {
  /** Called when the server cancels the request. `requestId` is the span of the request's id in the notification. */
  onCancelled(notification: OwnedLine, requestId: Span): void;
  onRunEnd(): void;
}
