import type { ServerNotification, ServerRequest } from './pending-call.js';
import type { Connection } from './connection.js';
import type { Upstream } from '../upstream.js';

/** A message that a server sent on its own, and where it came from. */
export interface ServerEvent<Message extends ServerNotification | ServerRequest> {
  readonly upstream: Upstream;
  /** That of the run which sent it. A server that is still starting has none to be called on yet, but may ask already. */
  readonly connection: Connection;
  readonly line: Buffer;
  readonly message: Message;
}
