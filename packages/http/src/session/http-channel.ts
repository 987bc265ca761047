import {
  type Channel,
  type ChannelHandler,
  idKey,
  inOnePiece,
  keyPaths,
  MessageReader,
  type OutgoingLine,
  type RawId,
  readId,
  type Span,
} from '@mcpmux/wire';
import type { OpenRequest, OpenRequests } from './open-requests.js';
import type { PostedMessage } from './posted-body.js';
import type { PostReply } from './post-reply.js';
import type { SessionStream } from './session-stream.js';

const PROGRESS_METHOD = 'notifications/progress';
/** Notifications about a call in progress, which must reach the client before the response. */
const CALL_METHODS: ReadonlySet<string> = new Set([PROGRESS_METHOD, 'notifications/message']);

const reader = new MessageReader(keyPaths(['progressToken']));

/** The streams, limits and callbacks of an {@link HttpChannel}. */
export interface HttpChannelParts {
  readonly requests: OpenRequests<PostReply>;
  /** The stream for messages that belong to no request. */
  readonly standaloneStream: SessionStream;
  readonly limits: { readonly maxEvents: number; readonly maxEventBytes: number };
  /** Called when a line has completed a request. */
  readonly onAnswer: (request: OpenRequest, line: Buffer) => void;
  /** Ends all responses. Resolves when they have been sent or their connections have closed. */
  readonly endResponses: () => Promise<void>;
}

/**
 * The channel from a mux session to a client with one connection per request. Chooses a connection for each line, and
 * queues only lines for which no connection is open. Closes a connection if its client leaves too much unread.
 */
export class HttpChannel implements Channel {
  readonly saturated = false;
  readonly queuedBytes = 0;
  /** True if the mux no longer accepts messages, because the session is ending. */
  isPaused = false;
  private handler: ChannelHandler | undefined;
  private readonly queuedMessages: QueuedMessages;

  constructor(private readonly parts: HttpChannelParts) {
    this.queuedMessages = new QueuedMessages(parts.limits);
  }

  open(handler: ChannelHandler): void {
    this.handler = handler;
  }

  /**
   * Passes a client message to the mux.
   *
   * @param reply the HTTP response to the message's body, if the body contains requests
   */
  receive(message: PostedMessage, reply: PostReply | undefined): void {
    const { requests } = this.parts;
    const passToMux = (): void => this.handler?.line(message.line);
    if (message.kind === 'request' && reply !== undefined) return requests.begin(message, reply, passToMux);
    passToMux();
    if (message.kind === 'notification' && message.cancelledId !== undefined)
      requests.takeById(message.cancelledId)?.connection.abandonRequest();
  }

  send(outgoing: OutgoingLine, answers?: RawId): void {
    const line = inOnePiece(outgoing);
    if (answers !== undefined) return this.sendAnswer(answers, line);
    const message = reader.read(line);
    switch (message.kind) {
      case 'request':
        return this.sendOnReply(message.method, line);
      case 'notification':
        return this.sendNotification(message.method, line, message.params.get('progressToken'));
      case 'response': {
        const idResult = readId(line, message.id);
        if ('id' in idResult) this.sendAnswer(idResult.id, line);
        return;
      }
      case 'malformed':
      // Unreachable, because the mux has validated every line.
    }
  }

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
  }

  end(): Promise<void> {
    return this.parts.endResponses();
  }

  destroy(): void {
    this.isPaused = true;
    void this.parts.endResponses();
  }

  /** Notifies the mux that the client has ended the session. */
  reportEnd(): void {
    this.handler?.ended({ reason: 'closed' });
  }

  /** Sends the queued messages. Must be called when the client has opened the stream for messages without a request. */
  sendQueued(): void {
    for (const line of this.queuedMessages.takeAll()) this.parts.standaloneStream.send(line);
  }

  private sendAnswer(id: RawId, line: Buffer): void {
    const { requests, onAnswer } = this.parts;
    const request = requests.takeAnswered(id);
    if (request === undefined) return;
    onAnswer(request, line);
    request.connection.sendAnswer(line);
  }

  private sendNotification(method: string, line: Buffer, token: Span | undefined): void {
    const { requests, standaloneStream } = this.parts;
    const idResult = method === PROGRESS_METHOD && token !== undefined ? readId(line, token) : undefined;
    const tokenRequest = idResult && 'id' in idResult ? requests.findByToken(idKey(idResult.id)) : undefined;
    if (tokenRequest !== undefined) return tokenRequest.connection.sendMessage(line);
    if (CALL_METHODS.has(method) || !standaloneStream.isConnected) return this.sendOnReply(method, line);
    standaloneStream.send(line);
  }

  /** Sends a line on the newest request's connection, or else on the session's stream. Queues it if neither is open. */
  private sendOnReply(method: string, line: Buffer): void {
    const { requests, standaloneStream } = this.parts;
    const newestRequest = requests.findNewestConnected();
    if (newestRequest !== undefined) newestRequest.connection.sendMessage(line);
    else if (standaloneStream.isConnected) standaloneStream.send(line);
    else this.queuedMessages.add(method, line);
  }
}

/** Matches notifications of which at most one is queued. */
const DEDUPLICATED_METHODS = /^notifications\/(?:tools|prompts|resources)\/list_changed$/;

/**
 * Messages that belong to no request and arrived while the client had no stream for them. The oldest are dropped first.
 */
export class QueuedMessages {
  private messages: { readonly method: string; readonly line: Buffer }[] = [];
  private totalBytes = 0;

  constructor(private readonly limits: { readonly maxEvents: number; readonly maxEventBytes: number }) {}

  add(method: string, line: Buffer): void {
    if (DEDUPLICATED_METHODS.test(method) && this.messages.some((queued) => queued.method === method)) return;
    this.messages.push({ method, line });
    this.totalBytes += line.length;
    while (this.messages.length > this.limits.maxEvents || this.totalBytes > this.limits.maxEventBytes) {
      this.totalBytes -= this.messages.shift()?.line.length ?? 0;
    }
  }

  takeAll(): readonly Buffer[] {
    const lines = this.messages.map(({ line }) => line);
    this.messages = [];
    this.totalBytes = 0;
    return lines;
  }
}
