import type { ChannelEnd, OwnedLine, RawId } from '@mcpmux/wire';
import type { Clock } from '../../base/clock.js';
import type { Limits } from '../../base/limits.js';
import type { Logger } from '../../base/logger.js';
import type { ServerDialect } from '../../dialect/server-dialect.js';
import type { ServerNotification, ServerRequest } from './pending-call.js';

/** Takes the messages that the server sends on its own. */
export interface ConnectionInbox {
  /** The server sent a notification that concerns none of the requests of either side. */
  notification(line: OwnedLine, notification: ServerNotification): void;
  /** The server asks for something: to be answered by `requests.respond`, unless it is refused at once. */
  request(line: OwnedLine, request: ServerRequest, id: RawId): void;
}

/** What the owner of a connection is told. */
export interface ConnectionEvents {
  readonly inbox: ConnectionInbox;
  ended(end: ChannelEnd): void;
}

/** What a connection works with. */
export interface ConnectionComponents {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits: Limits;
  /** What the server speaks. */
  readonly dialect: ServerDialect;
  /** For the log. */
  readonly server: string;
}
