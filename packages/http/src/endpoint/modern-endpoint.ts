import { ErrorCode, errorLine } from '@mcpmux/wire';

import type { Admitted } from '../entrance/admitted.js';
import { refuse, type Refusal } from '../entrance/refusal.js';
import { type RequestHeaders, modernTypesRefusal, acceptsEvents } from '../entrance/request-headers.js';
import {
  headerProblem,
  MODERN_REVISIONS,
  readModernMessage,
  type ModernMessage,
} from '../modern/modern-message.js';
import type { ModernPosts } from '../modern/modern-posts.js';
import { sendJson } from '../modern/modern-reply.js';
import type { PostedBody, PostedMessage } from '../session/posted-body.js';
import { TOO_MANY_REQUESTS } from '../session/session-refusals.js';

/** Methods that exist only in revisions without sessions. Requests with these methods never belong to a session. */
const MODERN_METHODS: ReadonlySet<string> = new Set(['server/discover', 'subscriptions/listen']);
/**
 * The end of the `_meta` key whose presence means that a message describes its client. The slash before this text may
 * be escaped. Most legacy messages do not contain the text, so they need no parsing.
 */
const REVISION_KEY_END = Buffer.from('protocolVersion"');
const BAD_REQUEST = 400;

const BATCH_NOT_ALLOWED: Refusal = {
  status: BAD_REQUEST,
  message: 'A message that describes its client must not stand in a batch. Send it in a body of its own.',
  code: ErrorCode.InvalidRequest,
};

/** The error response if mcpmux cannot determine whether a message's headers match its body. */
const AMBIGUOUS_MESSAGE: Refusal = {
  status: BAD_REQUEST,
  message: 'A member stands twice in the message, or the message is nested too deep.',
  code: ErrorCode.InvalidRequest,
};

/** The error response to any HTTP method except POST if the headers name a revision without sessions. */
export const POST_ONLY: Refusal = {
  status: 405,
  message: 'Revisions without sessions are served by POST alone.',
  headers: { allow: 'POST' },
};

/** True if a request's headers name a revision without sessions. */
export function namesModernRevision(headers: RequestHeaders): boolean {
  const version = headers.get('mcp-protocol-version');
  return version !== undefined && MODERN_REVISIONS.has(version);
}

/** Serves messages of revisions without sessions. Each message names its revision. Session ids are ignored. */
export class ModernEndpoint {
  constructor(private readonly posts: ModernPosts) {}

  /** Serves a body of a revision without sessions. Returns undefined for any other body, which belongs to a session. */
  serveBody(admitted: Admitted, body: PostedBody): Promise<void> | undefined {
    const { headers, response } = admitted;
    const [first] = body.messages;
    if (first === undefined) return undefined;
    if (body.isBatch) {
      if (!body.messages.some((message) => asModernMessage(message, false)?.namesRevision)) return undefined;
      return Promise.resolve(refuse(response, BATCH_NOT_ALLOWED));
    }
    const hasModernHeader = namesModernRevision(headers);
    const message = asModernMessage(first, hasModernHeader);
    if (message !== undefined) return this.serve(admitted, message);
    return hasModernHeader && first.kind !== 'response'
      ? Promise.resolve(refuse(response, AMBIGUOUS_MESSAGE))
      : undefined;
  }

  private async serve(admitted: Admitted, message: ModernMessage): Promise<void> {
    const { response, headers, caller } = admitted;
    const typesRefusal = modernTypesRefusal(headers);
    if (typesRefusal !== undefined) return refuse(response, typesRefusal);
    const problem = headerProblem(message, headers);
    if (problem !== undefined)
      return sendJson(response, BAD_REQUEST, errorLine(message.id, problem).subarray(0, -1));
    if (!message.isRequest) {
      response.writeHead(202).end();
      return this.posts.passNotification(message, caller);
    }
    if (!this.posts.hasCapacity(caller.principal)) return refuse(response, TOO_MANY_REQUESTS);
    await this.posts.serveRequest(message, admitted, acceptsEvents(headers));
  }
}

/** Returns the message if its content, its method or the headers indicate a revision without sessions. */
function asModernMessage(message: PostedMessage, hasModernHeader: boolean): ModernMessage | undefined {
  if (message.kind === 'response') return undefined;
  const isImplied = message.kind === 'request' && MODERN_METHODS.has(message.method);
  if (!hasModernHeader && !isImplied && !message.line.includes(REVISION_KEY_END)) return undefined;
  const read = readModernMessage(message.line);
  return hasModernHeader || isImplied || read?.namesRevision === true ? read : undefined;
}
