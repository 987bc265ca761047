import type { ServerNotification, ServerRequest } from './link/pending-call.js';
import type { Inbox, SentMessage } from './link/server-event.js';
import type { Upstream } from './upstream.js';

/** A message that a registered server sent on its own, and where it came from. */
export type ServerEvent<Message extends ServerNotification | ServerRequest> = SentMessage<Upstream, Message>;

/** Takes the messages that registered servers send on their own. */
export type ServerInbox = Inbox<Upstream>;
