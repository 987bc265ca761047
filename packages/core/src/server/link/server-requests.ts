import {
  type Channel,
  ErrorCode,
  errorLine,
  idKey,
  NULL_ID,
  type OutgoingLine,
  PendingTable,
  type RawId,
  readId,
  resultLine,
  type Span,
  type OwnedLine,
} from '@mcpmux/wire';
import type { ServerDialect } from '../dialect/server-dialect.js';
import type { OpenRequest, ServerNotification, ServerRequest } from './pending-call.js';

/** Receives the messages that a server sends on its own initiative. */
export interface ConnectionInbox {
  /** Receives a notification that belongs to no request of either side. */
  onNotification(line: OwnedLine, notification: ServerNotification): void;
  /** Receives a request from the server, and must record it with `requests.expectAnswer` or refuse it at once. */
  onRequest(line: OwnedLine, request: ServerRequest, id: RawId): void;
}

/** The error for a request from a modern server. Modern servers must not send requests. */
const SERVER_REQUESTS_ERROR = {
  code: ErrorCode.MethodNotFound,
  message: 'servers of this protocol version send no requests; ask for input with the result of a call',
};

/** The unanswered requests of one server run, keyed by the ids that the server chose. */
export class ServerRequests {
  private readonly openRequests = new PendingTable<string, OpenRequest>();

  constructor(
    private readonly channel: Pick<Channel, 'send'>,
    private readonly inbox: ConnectionInbox,
    public dialect: Pick<ServerDialect, 'ownAnswers' | 'sendsRequests'>,
  ) {}

  /**
   * Passes a request to the inbox, unless mcpmux answers or refuses it itself.
   *
   * @returns the problem with the request's id, or undefined if the id is readable
   */
  forwardOrAnswer(line: OwnedLine, message: ServerRequest): string | undefined {
    const idOrProblem = readId(line, message.id);
    if ('problem' in idOrProblem) {
      // The server waits for an answer, but no valid answer can have this id, so the error has a null id.
      this.sendError(NULL_ID, idOrProblem.problem);
      return idOrProblem.problem;
    }
    const { id } = idOrProblem;
    const { ownAnswers, sendsRequests } = this.dialect;
    const ownResult = ownAnswers.get(message.method);
    if (ownResult !== undefined) this.channel.send(resultLine(id, ownResult));
    else if (!sendsRequests) this.channel.send(errorLine(id, SERVER_REQUESTS_ERROR));
    else if (this.openRequests.has(idKey(id)))
      this.sendError(id, `a request with id ${id} is already in flight`);
    else this.inbox.onRequest(line, message, id);
    return undefined;
  }

  /** Records a request that a client will answer. */
  expectAnswer(id: RawId, request: OpenRequest): void {
    this.openRequests.add(idKey(id), request);
  }

  /** Answers a request, unless it was already answered or withdrawn. */
  respond(id: RawId, line: () => OutgoingLine): void {
    if (this.openRequests.take(idKey(id)) !== undefined) this.channel.send(line());
  }

  /** Sends a progress line for a request, unless the request was already answered or withdrawn. */
  sendProgress(id: RawId, line: () => Buffer): void {
    if (this.openRequests.has(idKey(id))) this.channel.send(line());
  }

  /** Removes a request that the server has cancelled, and forwards the cancellation. */
  withdraw(line: OwnedLine, requestId: Span | undefined): void {
    const idOrProblem = requestId === undefined ? undefined : readId(line, requestId);
    if (requestId === undefined || idOrProblem === undefined || 'problem' in idOrProblem) return;
    this.openRequests.take(idKey(idOrProblem.id))?.onCancelled(line, requestId);
  }

  /** Refuses an unreadable request. `id` is undefined if the id is unreadable too. */
  refuse(id: RawId | undefined, problem: string): void {
    // If the refusal had the id of an open request, the server would mistake it for the answer to that request.
    const isIdFree = id !== undefined && !this.openRequests.has(idKey(id));
    this.sendError(isIdFree ? id : NULL_ID, problem);
  }

  /** Drops all open requests after the run has ended. */
  abandonAll(): void {
    for (const request of this.openRequests.takeAll()) request.onRunEnd();
  }

  private sendError(id: RawId, message: string): void {
    this.channel.send(errorLine(id, { code: ErrorCode.InvalidRequest, message }));
  }
}
