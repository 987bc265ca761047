import type { Clock } from '../clock.js';
import type { Limits } from '../limits.js';
import type { Logger } from '../logger.js';
import type { ChannelEnd } from '../wire/line-channel.js';
import type { IdText } from '../wire/request-id.js';
import type { ServerNotification, ServerRequest } from './call-sink.js';

/** What the owner of a connection is told. */
export interface ConnectionEvents {
  /** The server sent a notification that concerns none of the requests of either side. */
  notification(line: Buffer, notification: ServerNotification): void;
  /** The server asks for something: to be answered by its `answer`, unless it is refused at once. */
  request(line: Buffer, request: ServerRequest, id: IdText): void;
  ended(end: ChannelEnd): void;
}

/** What a connection works with. */
export interface ConnectionComponents {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits: Limits;
  /** For the log. */
  readonly server: string;
}
