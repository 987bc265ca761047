import { isRecord, LISTEN, parsedJson } from '@mcpmux/kit';
import {
  errorLine,
  ErrorCode,
  idKey,
  notificationLine,
  readId,
  type Message,
  type RawId,
  type Span,
} from '@mcpmux/wire';

import { plainCallId, plainResultId } from './plain-call.js';

const CANCELLED_METHOD = 'notifications/cancelled';
const CANCEL_REASON = 'the shared mcpmux process has ended';
const UNANSWERED_MESSAGE =
  'The shared mcpmux process ended before it answered this request. Whether the request was carried out is unknown. ' +
  'mcpmux starts the process again: send the request again if it may run twice.';

/** A request's id, or a marker for a plain call, whose id equals its key. */
type OpenRequest = RawId | typeof PLAIN_CALL;
const PLAIN_CALL = 'plain call';

/** The requests from the client and from the shared process that have no response yet. */
export class OpenRequests {
  private readonly clientRequests = new Map<string, OpenRequest>();
  private readonly processRequests = new Map<string, RawId>();
  private readonly subscriptionKeys = new Set<string>();

  /** True if no request is waiting for a response. Subscriptions do not count. */
  get isIdle(): boolean {
    if (this.processRequests.size > 0) return false;
    return (
      this.clientRequests.size === 0 ||
      [...this.clientRequests.keys()].every((key) => this.subscriptionKeys.has(key))
    );
  }

  /**
   * Records a client message before it is forwarded. Returns false for a response to a request that is not open; such a
   * response must be dropped.
   */
  recordClientMessage(line: Buffer, message: Message): boolean {
    if (message.kind === 'request') this.addClientRequest(line, message);
    if (message.kind === 'notification') removeCancelled(this.clientRequests, line, message);
    return message.kind !== 'response' || removeRequest(this.processRequests, line, message.id);
  }

  /** Records a message received from the shared process. */
  recordProcessMessage(line: Buffer, message: Message): void {
    if (message.kind === 'request') addRequest(this.processRequests, line, message.id);
    if (message.kind === 'notification') removeCancelled(this.processRequests, line, message);
    if (message.kind !== 'response' || removeRequest(this.clientRequests, line, message.id)) return;
    const refusedId = refusedCallId(line);
    if (refusedId !== undefined && this.clientRequests.get(refusedId) === PLAIN_CALL)
      this.clientRequests.delete(refusedId);
  }

  /** Records a client's plain call before it is forwarded. Returns false for any other line, which must be parsed. */
  recordPlainCall(line: Buffer): boolean {
    const id = plainCallId(line);
    if (id === undefined || this.clientRequests.has(id)) return false;
    this.clientRequests.set(id, PLAIN_CALL);
    if (this.subscriptionKeys.size > 0) this.subscriptionKeys.delete(id);
    return true;
  }

  /** Closes the request to which a plain result from the shared process responds. Returns false for any other line. */
  recordPlainResult(line: Buffer): boolean {
    const id = plainResultId(line);
    if (id !== undefined) this.clientRequests.delete(id);
    return id !== undefined;
  }

  isOpen(id: RawId): boolean {
    return this.clientRequests.has(idKey(id));
  }

  /** Records a request that was sent to an earlier process and is now being sent again. */
  reopen(id: RawId): void {
    this.clientRequests.set(idKey(id), id);
  }

  /** True if a client message is a response to an open request in this table, or cancels one. */
  concerns(line: Buffer, message: Message): boolean {
    if (message.kind === 'response') return hasRequest(this.processRequests, line, message.id);
    if (message.kind !== 'notification' || message.method !== CANCELLED_METHOD) return false;
    const id = message.params.get('requestId');
    return id !== undefined && hasRequest(this.clientRequests, line, id);
  }

  /**
   * Closes all requests after the process has ended. Returns the errors and cancellations to send to the client.
   *
   * @param resentId the id of a request that will be sent to the next process
   */
  closeAll(resentId: RawId | undefined): readonly Buffer[] {
    const resentKey = resentId === undefined ? undefined : idKey(resentId);
    const unansweredRequests = [...this.clientRequests].filter(([key]) => key !== resentKey);
    for (const [key] of unansweredRequests) this.clientRequests.delete(key);
    const questions = [...this.processRequests.values()];
    this.processRequests.clear();
    this.subscriptionKeys.clear();
    const error = { code: ErrorCode.InternalError, message: UNANSWERED_MESSAGE };
    return [
      ...unansweredRequests.map(([key, request]) => errorLine(idOf(key, request), error)),
      ...questions.map((id) => {
        const requestId: unknown = JSON.parse(id);
        return notificationLine(CANCELLED_METHOD, { requestId, reason: CANCEL_REASON });
      }),
    ];
  }

  private addClientRequest(
    line: Buffer,
    { id, method }: Extract<Message, { readonly kind: 'request' }>,
  ): void {
    const key = addRequest(this.clientRequests, line, id);
    if (key === undefined) return;
    // A subscription stays open as long as the client listens, so the connection may end before its response arrives.
    // An id that belonged to a subscription may be reused for another request.
    if (method === LISTEN) this.subscriptionKeys.add(key);
    else if (this.subscriptionKeys.size > 0) this.subscriptionKeys.delete(key);
  }
}

function idOf(key: string, request: OpenRequest): RawId {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- digits are an id, and the key of that id
  return request === PLAIN_CALL ? (key as RawId) : request;
}

/** Returns the id of a plain call that the process could not read, because its error response has no id. */
function refusedCallId(line: Buffer): string | undefined {
  const response = parsedJson(line.toString());
  const error = isRecord(response) ? response['error'] : undefined;
  const data = isRecord(error) ? error['data'] : undefined;
  const id = isRecord(data) ? data['requestId'] : undefined;
  return typeof id === 'number' ? String(id) : undefined;
}

function addRequest(openRequests: Map<string, OpenRequest>, line: Buffer, span: Span): string | undefined {
  const read = readId(line, span);
  if (!('id' in read)) return undefined;
  const key = idKey(read.id);
  openRequests.set(key, read.id);
  return key;
}

function hasRequest(openRequests: ReadonlyMap<string, OpenRequest>, line: Buffer, span: Span): boolean {
  const read = readId(line, span);
  return 'id' in read && openRequests.has(idKey(read.id));
}

/** Removes a request. Returns true if the request was open. */
function removeRequest(openRequests: Map<string, OpenRequest>, line: Buffer, span: Span): boolean {
  const read = readId(line, span);
  return 'id' in read && openRequests.delete(idKey(read.id));
}

/** Removes a cancelled request, which will get no response. */
function removeCancelled(
  openRequests: Map<string, OpenRequest>,
  line: Buffer,
  { method, params }: Extract<Message, { readonly kind: 'notification' }>,
): void {
  const id = method === CANCELLED_METHOD ? params.get('requestId') : undefined;
  if (id !== undefined) removeRequest(openRequests, line, id);
}
