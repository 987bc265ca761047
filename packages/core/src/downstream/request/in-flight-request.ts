import type { Span } from '@mcpmux/wire';

/** A client's `notifications/cancelled`, and where its `requestId` stands. */
export interface CancelNotification {
  readonly line: Buffer;
  readonly requestId: Span;
}

/** What can be done with a client's request while it is in flight. */
export interface InFlightRequest {
  /** The client does not want the answer any more. */
  cancel(notification: CancelNotification): void;
  /** The client has gone. */
  abandon(): void;
  /** There is no more time: the line that answers the request now. */
  expire(): Buffer;
}
