import type { BorrowedLine, Message, OwnedLine, Span } from '@mcpmux/wire';
import type { CallFailure } from './run-failure.js';

/** A response as the server sent it. */
export type ServerResponse = Extract<Message, { kind: 'response' }>;

/** Where a call comes from. */
export interface CallOrigin {
  /** The client that sent the call. Calls of different clients never delay each other. */
  readonly client: object;
}

/** Waits for the answer to one call: any number of progress lines, then exactly one response or failure. */
export interface PendingCall {
  readonly exchange: CallOrigin;
  /** Handles a progress notification. `token` is the span of the token that mcpmux inserted into the call. */
  onProgress(line: OwnedLine, token: Span): void;
  /** Handles the response. The line is valid only until the end of the read scope; call `toOwned` to store it. */
  onResponse(line: BorrowedLine, response: ServerResponse): void;
  fail(failure: CallFailure): void;
}

/** A notification as the server sent it. */
export type ServerNotification = Extract<Message, { kind: 'notification' }>;

/** A request as the server sent it. */
export type ServerRequest = Extract<Message, { kind: 'request' }>;

/** Waits for the answer to a request that a server sent to a client. */
export interface OpenRequest {
  /** Called when the server cancels the request. `requestId` is the span of the id in its notification. */
  onCancelled(notification: OwnedLine, requestId: Span): void;
  /** Called when the server's run has ended. */
  onRunEnd(): void;
}
