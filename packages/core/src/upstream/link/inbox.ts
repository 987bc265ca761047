import type { RawId, OwnedLine } from '@mcpmux/wire';
import type { ServerNotification, ServerRequest } from './pending-call.js';
import type { Connection } from './connection.js';

/** A message that a server sent on its own, and where it came from. */
export interface ServerEventOf<Server, Message extends ServerNotification | ServerRequest> {
  readonly upstream: Server;
  /** That of the run which sent it, which may not be the one that calls go to. */
  readonly connection: Connection;
  readonly line: OwnedLine;
  readonly message: Message;
}

/** Takes the messages that servers send on their own. */
export interface Inbox<Server> {
  /** A notification other than `list_changed`, or one that belongs to a request of either side. */
  notification(event: ServerEventOf<Server, ServerNotification>): void;
  /** A request, except `ping`; the inbox has it answered. */
  request(event: ServerEventOf<Server, ServerRequest>, id: RawId): void;
}
