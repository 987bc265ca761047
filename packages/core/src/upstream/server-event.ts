import type { ServerNotification, ServerRequest } from './link/pending-call.js';
import type { Inbox, ServerEventOf } from './link/inbox.js';
import type { Upstream } from './upstream.js';

/** A message that a registered server sent on its own, and where it came from. */
export type ServerEvent<Message extends ServerNotification | ServerRequest> = ServerEventOf<
  Upstream,
  Message
>;

/** Takes the messages that registered servers send on their own. */
export type ServerInbox = Inbox<Upstream>;
